import { z } from 'zod'
import { challengeMissing, deadlinePast, moreAlreadySubmitted } from '../error-catalogue.ts'
import { Challenge, ChallengeChange } from '../challenges/schemas.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { PasswordConfirmation } from './schemas.ts'

/** Admin procedures for challenges, except creation. */
export const adminChallengeRoutes = {
  updateChallenge: route('PUT /admin/challenges/{id}', {
    access: 'admin',
    audits: 'challenge',
    requiresAdminPassword: true,
    summary: 'Change a challenge; omitted fields keep their value. Points already awarded stay.',
    description: 'A new `deadline` must be in the future, and a lower `maxSubmissions` not below what a team has used.',
    input: ChallengeChange.extend({ id: Id, ...PasswordConfirmation }),
    output: z.object({ challenge: Challenge }),
    successMessage: 'Challenge updated successfully',
    errors: { challengeMissing, deadlinePast, moreAlreadySubmitted },
  }),
  deleteChallenge: route('DELETE /admin/challenges/{id}', {
    access: 'admin',
    audits: 'challenge',
    requiresAdminPassword: true,
    summary: 'Delete a challenge with its submissions and files; the points earned in it are lost',
    description:
      'The challenge is hidden immediately. If it has hundreds of submissions, a job deletes the newer ones and their points within minutes.',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'Challenge deleted successfully',
    errors: { challengeMissing },
  }),
  activateChallenge: route('POST /admin/challenges/{id}/activate', {
    access: 'admin',
    audits: 'challenge',
    requiresAdminPassword: true,
    summary: 'Open a challenge until its deadline',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    output: z.object({ challenge: Challenge }),
    successMessage: 'Challenge activated successfully',
    errors: { challengeMissing },
  }),
  deactivateChallenge: route('POST /admin/challenges/{id}/deactivate', {
    access: 'admin',
    audits: 'challenge',
    requiresAdminPassword: true,
    summary: 'Close and hide a challenge',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    output: z.object({ challenge: Challenge }),
    successMessage: 'Challenge deactivated successfully',
    errors: { challengeMissing },
  }),
}
