import { z } from 'zod'
import { Id, idSchema, ids, line, minVisible, text } from '../primitives.ts'
import { lineOf } from '../patterns.ts'
import { limitText } from '../registered-messages.ts'

export const ROLE_CATEGORIES = ['Development', 'Design', 'Marketing', 'Other', 'Management'] as const

export const RoleRef = z.object({ id: z.uuid(), name: z.string(), emoji: z.string() }).meta({ id: 'RoleRef' })
export type RoleRef = z.output<typeof RoleRef>

export const Role = z
  .object({
    ...ids,
    name: z.string(),
    emoji: z.string(),
    description: z.string(),
    category: z.enum(ROLE_CATEGORIES),
    requirements: z.array(z.string()),
  })
  .meta({ id: 'Role' })
export type Role = z.output<typeof Role>

const SHORT_NAME = limitText('A role’s name must be at least {n} characters', 2)
export const RoleInput = z.object({
  name: line('Please enter the role’s name')
    .min(2, SHORT_NAME)
    .check(minVisible(2, SHORT_NAME))
    .max(60, limitText('A role’s name cannot exceed {n} characters', 60))
    .meta({ pattern: lineOf(2), example: 'Accessibility specialist' }),
  emoji: line('Please choose an emoji')
    .min(1, 'Please choose an emoji')
    .max(16, 'Please choose a single emoji')
    .meta({ pattern: lineOf(1), example: '🧭' }),
  description: text().max(300, limitText('Description cannot exceed {n} characters', 300)).default(''),
  category: z.enum(ROLE_CATEGORIES, 'Please select a category'),
  requirements: z
    .array(line().max(200, limitText('A requirement cannot exceed {n} characters', 200)))
    .max(20)
    .overwrite((items) => items.filter((item) => item !== ''))
    .default([]),
})
export type RoleInput = z.output<typeof RoleInput>

/** A role by its id, or as the whole object that `GET /roles` returns, of which only the id is used. */
export const ChosenRole = z.union(
  [
    idSchema('Please select a valid role').transform((id) => ({ id })),
    z
      .strictObject({
        id: idSchema('Please select a valid role'),
        _id: Id.optional(),
        name: z.string().max(100).optional(),
        emoji: z.string().max(20).optional(),
        description: z.string().max(1000).optional(),
        category: z.enum(ROLE_CATEGORIES).optional(),
        requirements: z.array(z.string().max(500)).max(50).optional(),
      })
      .transform(({ id }) => ({ id })),
  ],
  'Please select a valid role',
)
