import { z } from 'zod'
import {
  alreadyApplied,
  challengeExpired,
  challengeInactive,
  challengeMissing,
  fileMissing,
  memberAlreadyApplied,
  teamInactive,
  teamMissing,
} from '../error-catalogue.ts'
import { Id, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { Submission, SubmitInput } from '../submissions/schemas.ts'

/** Submissions under the path of their challenge. */
export const challengeSubmissionRoutes = {
  submissions: route('GET /challenges/{id}/submissions', {
    access: 'visitor',
    summary: 'A challenge’s submissions: approved ones and those of the caller’s teams; all of them for administrators',
    description: 'Newest first. Visitors see approved submissions only.',
    input: z.object({ id: Id, ...PageSince }),
    output: z.object({ submissions: z.array(Submission), pagination: Pagination }),
    errors: { challengeMissing },
  }),
  submit: route('POST /challenges/{id}/submit', {
    access: 'member',
    creates: true,
    summary: 'Submit on behalf of the named team as one of its members, with a link or an uploaded file',
    description:
      'With `type: link`, `content` is any link. With `type: upload`, it is the `secureUrl` of a file that the caller uploaded. `teamName` is the name of one of the caller’s teams.',
    input: SubmitInput,
    output: z.object({ submission: Submission }),
    successMessage: 'Application submitted successfully!',
    errors: {
      challengeMissing,
      teamMissing,
      challengeInactive,
      challengeExpired,
      teamInactive,
      alreadyApplied,
      memberAlreadyApplied,
      fileMissing,
    },
  }),
}
