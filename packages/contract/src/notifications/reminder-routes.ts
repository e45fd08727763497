import { z } from 'zod'
import {
  alreadyApplied,
  challengeExpired,
  challengeInactive,
  challengeMissing,
  notAMember,
  teamInactive,
  teamMissing,
} from '../error-catalogue.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'

const ReminderInput = z.object({ id: Id, teamId: Id.describe('One of the caller’s teams') })

/** Reminders of a challenge’s deadline; not in the specification. */
export const reminderRoutes = {
  reminders: route('GET /challenges/{id}/reminder', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Which of the caller’s teams are reminded of a challenge’s deadline',
    description: 'Not paged: at most one id for each of the caller’s teams.',
    input: z.object({ id: Id }),
    output: z.object({ teamIds: z.array(z.uuid()) }),
    errors: { challengeMissing },
  }),
  remind: route('POST /challenges/{id}/reminder', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Remind a team’s members 3 days, 24 hours and 2 hours before the deadline, until the team applies',
    input: ReminderInput,
    successMessage: 'Reminder set',
    errors: {
      challengeMissing,
      challengeInactive,
      challengeExpired,
      teamMissing,
      teamInactive,
      notAMember,
      alreadyApplied,
    },
  }),
  stopReminding: route('DELETE /challenges/{id}/reminder', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Stop reminding a team of a challenge’s deadline',
    input: ReminderInput,
    successMessage: 'Reminder removed',
    errors: { challengeMissing, teamMissing, notAMember },
  }),
}
