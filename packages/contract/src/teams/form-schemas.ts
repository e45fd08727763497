import { z } from 'zod'
import { Id, PersonName } from '../primitives.ts'
import { Experience } from '../users/schemas.ts'
import { CreateTeamInput, CreatorInfo, JoinTeamInput } from './schemas.ts'

// Form values are text: report a missing value before an invalid one.
const required = <T extends z.ZodType<unknown, string>>(missing: string, schema: T) =>
  z.string(missing).trim().min(1, missing).pipe(schema)

/** The form for joining a team. `role.id` is empty until a role is chosen. */
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

/** The form of the create-team wizard. `userInfo.firstName` holds the full name; an empty `userInfo.role.id` means no role. */
export const CreateTeamForm = CreateTeamInput.extend({
  experience: required('Please select team experience level', CreateTeamInput.shape.experience),
  rolesNeeded: z
    .array(z.object({ id: z.string(), name: z.string(), emoji: z.string() }))
    .min(1, 'Please select at least one role'),
  userInfo: CreatorForm,
})
export type CreateTeamForm = z.input<typeof CreateTeamForm>
