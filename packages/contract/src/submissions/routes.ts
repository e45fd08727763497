import { z } from 'zod'
import { notPending, ownTeam, submissionMissing } from '../error-catalogue.ts'
import { Id, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors } from '../search.ts'
import { followUpRoutes } from './follow-up-routes.ts'
import { EvaluateInput, Submission, SubmissionListInput, WorksInput } from './schemas.ts'

const Submissions = z.object({ submissions: z.array(Submission), pagination: Pagination })

export const submissions = {
  list: route('GET /submissions', {
    access: 'admin',
    summary: 'All submissions, newest first by default',
    description:
      'Filters by status, team and challenge combine. `updatedSince` finds what was submitted or evaluated since the last call.',
    input: SubmissionListInput,
    output: Submissions,
    errors: searchErrors,
  }),
  pending: route('GET /submissions/pending', {
    access: 'admin',
    summary: 'Pending submissions, the longest waiting first',
    description:
      'The queue of what waits for an evaluation: send the verdict to `POST /submissions/{id}/evaluate`. A rejected submission that the team submits again waits from then on; one whose verdict an administrator revokes keeps its place.',
    input: z.object(PageSince),
    output: Submissions,
  }),
  approved: route('GET /submissions/approved', {
    access: 'visitor',
    cached: 'for visitors',
    summary: 'Community works: the approved submissions',
    description:
      'With score and feedback, which are public. `metadata.submissionNotes` is for the team and administrators, and empty for others. `updatedSince` finds what changed since the last call.',
    input: WorksInput,
    output: Submissions,
    errors: searchErrors,
  }),
  get: route('GET /submissions/{id}', {
    access: 'visitor',
    summary: 'One submission; only approved ones are public, the others are for the team’s members and administrators',
    description: 'A submission that the caller may not see is 404, as one that does not exist.',
    input: z.object({ id: Id }),
    output: z.object({ submission: Submission }),
    errors: { submissionMissing },
  }),
  evaluate: route('POST /submissions/{id}/evaluate', {
    access: 'admin',
    audits: 'submission',
    summary: 'Approve or reject a pending submission',
    description:
      '`score` is required when `status` is `approved`. The team gets the challenge’s points times the score in percent. Administrators cannot evaluate a team they are or were in. To change a verdict, first revoke it with `POST /submissions/{id}/reset-evaluation`.',
    input: EvaluateInput,
    output: z.object({ submission: Submission }),
    idempotent: true,
    successMessage: 'Submission evaluated successfully',
    errors: { submissionMissing, notPending, ownTeam },
  }),
  ...followUpRoutes,
}
