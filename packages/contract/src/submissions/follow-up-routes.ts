import { z } from 'zod'
import { PasswordConfirmation } from '../admin/schemas.ts'
import {
  alreadyApplied,
  challengeExpired,
  challengeInactive,
  evaluationChanged,
  memberAlreadyApplied,
  notEvaluated,
  notRejected,
  ownTeam,
  submissionMissing,
  submitterOnly,
  teamInactive,
} from '../error-catalogue.ts'
import { Id, Page, Pagination, TimeInput } from '../primitives.ts'
import { route } from '../route.ts'
import { Submission, SubmissionStats } from './schemas.ts'

/** Public figures, and what can happen to a submission after its first verdict. */
export const followUpRoutes = {
  leaderboard: route('GET /submissions/leaderboard', {
    access: 'visitor',
    cached: 'for visitors',
    summary: 'Approved submissions by score, then by submission time',
    description: 'The works with the highest scores, the earlier submitted first among equals.',
    input: z.object(Page),
    output: z.object({ submissions: z.array(Submission), pagination: Pagination }),
  }),
  stats: route('GET /submissions/stats/overview', {
    access: 'visitor',
    cached: 'by role',
    summary: 'Submission counts by status, and the average score',
    description: '`averageScore` is of approved submissions, to one decimal, and null without any.',
    output: z.object({ stats: SubmissionStats }),
  }),
  remove: route('DELETE /submissions/{id}', {
    access: 'admin',
    audits: 'submission',
    requiresAdminPassword: true,
    summary: 'Delete a submission with its file and points',
    description: 'The team’s total and the leaderboard change at once. This cannot be undone.',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'Submission deleted successfully',
    errors: { submissionMissing },
  }),
  setStatus: route('PUT /submissions/{id}/status', {
    access: 'member',
    summary: 'Resubmit a rejected submission, as the team’s chef or the submitter, while the challenge is open',
    description:
      'The content stays as it was, and the submission waits for another verdict. It needs a free slot: `maxSubmissions` of the challenge counts pending and approved ones.',
    input: z.object({ id: Id, status: z.literal('pending', 'The status can only be set to pending') }),
    output: z.object({ submission: Submission }),
    successMessage: 'Submission status updated to pending. Waiting for admin review.',
    errors: {
      submissionMissing,
      submitterOnly,
      notRejected,
      challengeInactive,
      challengeExpired,
      teamInactive,
      alreadyApplied,
      memberAlreadyApplied,
    },
  }),
  resetEvaluation: route('POST /submissions/{id}/reset-evaluation', {
    access: 'admin',
    audits: 'submission',
    summary: 'Revoke a verdict: the submission is pending again and its points are removed',
    description:
      'Also for rejections, if the team has a free slot in the challenge. Administrators cannot do so for a team they are or were in.',
    input: z.object({
      id: Id,
      evaluatedAt: TimeInput.optional().describe(
        '`evaluatedAt` of the verdict to revoke: a later verdict is answered 409 instead of being revoked',
      ),
    }),
    output: z.object({ submission: Submission }),
    successMessage: 'Evaluation reset',
    errors: { submissionMissing, notEvaluated, evaluationChanged, ownTeam, alreadyApplied, memberAlreadyApplied },
  }),
}
