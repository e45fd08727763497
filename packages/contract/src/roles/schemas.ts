import { z } from 'zod'
import { ids } from '../primitives.ts'

export const ROLE_CATEGORIES = ['Development', 'Design', 'Marketing', 'Other', 'Management'] as const

/** A role as teams and members carry it. */
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
