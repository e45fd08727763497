import { z } from 'zod'
import { Id, PersonName } from '../primitives.ts'
import { Experience } from '../users/schemas.ts'
import { CreateTeamInput, CreatorInfo, JoinTeamInput } from './schemas.ts'

// What people type is text: a form says first that something is missing, and only then what is wrong with it.
const required = <T extends z.ZodType<unknown, string>>(missing: string, schema: T) =>
  z.string(missing).trim().min(1, missing).pipe(schema)

/** The form of joining a team. `role.id` is empty until one is chosen. */
export const JoinTeamForm = JoinTeamInput.omit({ id: true, contact: true }).extend({
  name: required('Please enter your full name', PersonName),
  experience: required('Please select your experience level', Experience),
  role: z.object({ id: required('Please select a valid role', Id) }),
})
export type JoinTeamForm = z.input<typeof JoinTeamForm>

const CreatorForm = CreatorInfo.extend({
  personalExperience: required('Please select your experience level', Experience),
  role: z.object({ id: z.string() }),
})

/** The form of the wizard. `userInfo.firstName` holds the full name; an empty `userInfo.role.id` is no role. */
export const CreateTeamForm = CreateTeamInput.extend({
  experience: required('Please select team experience level', CreateTeamInput.shape.experience),
  rolesNeeded: z
    .array(z.object({ id: z.string(), name: z.string(), emoji: z.string() }))
    .min(1, 'Please select at least one role'),
  userInfo: CreatorForm,
})
export type CreateTeamForm = z.input<typeof CreateTeamForm>
