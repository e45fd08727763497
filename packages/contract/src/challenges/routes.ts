import { z } from 'zod'
import {
  alreadyApplied,
  challengeExpired,
  challengeInactive,
  challengeMissing,
  chefRequired,
  fileMissing,
  memberAlreadyApplied,
  teamInactive,
  teamMissing,
} from '../error-catalogue.ts'
import { Count, Id, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors } from '../search.ts'
import { ApplyInput, Submission } from '../submissions/schemas.ts'
import { reminderRoutes } from '../notifications/reminder-routes.ts'
import { challengeSubmissionRoutes } from './submission-routes.ts'
import { Category, Challenge, ChallengeListInput, Difficulty } from './schemas.ts'

const Challenges = z.object({ challenges: z.array(Challenge), pagination: Pagination })

export const challenges = {
  list: route('GET /challenges', {
    access: 'visitor',
    cached: 'by role',
    summary:
      'Challenges: open ones by nearest deadline, then the others by most recent deadline; only administrators see inactive ones',
    description:
      'The filters combine. `isActive: true` includes challenges whose deadline has passed: for those that accept applications use `GET /challenges/active`.',
    input: ChallengeListInput,
    output: Challenges,
    errors: searchErrors,
  }),
  active: route('GET /challenges/active', {
    access: 'visitor',
    cached: 'by role',
    summary: 'Challenges that accept applications now, and the totals of all challenges',
    description:
      'Active challenges whose deadline has not passed, by nearest deadline. `sums` covers all challenges the caller may see, not only this page.',
    input: z.object(PageSince),
    output: Challenges.extend({
      sums: z.object({ points: Count, submissions: Count }).describe('Totals of all challenges the caller may see'),
    }),
  }),
  byCategory: route('GET /challenges/category/{c}', {
    access: 'visitor',
    summary: 'Challenges of a category',
    description: 'The same as `GET /challenges` with `category`, and in the same order.',
    input: z.object({ c: Category.describe('The category'), ...PageSince }),
    output: Challenges,
  }),
  byDifficulty: route('GET /challenges/difficulty/{d}', {
    access: 'visitor',
    summary: 'Challenges of a difficulty',
    description: 'The same as `GET /challenges` with `difficulty`, and in the same order.',
    input: z.object({ d: Difficulty.describe('The difficulty'), ...PageSince }),
    output: Challenges,
  }),
  myTeamApplications: route('GET /challenges/my-team-applications', {
    access: 'member',
    summary: 'Submissions of the caller’s teams, newest first',
    description: 'Pending, approved and rejected submissions, by any member of the team.',
    input: z.object({
      ...PageSince,
      onlyOpen: z.boolean().optional().describe('Only those of challenges that accept applications now'),
    }),
    output: z.object({ applications: z.array(Submission), pagination: Pagination }),
  }),
  get: route('GET /challenges/{id}', {
    access: 'visitor',
    summary: 'One challenge',
    description:
      'An inactive challenge is 404 for all but administrators. Compare `deadline` with the server’s clock of `GET /settings`.',
    input: z.object({ id: Id }),
    output: z.object({ challenge: Challenge }),
    errors: { challengeMissing },
  }),
  // Not `apply`: tRPC reserves that name.
  applyTo: route('POST /challenges/{id}/apply', {
    access: 'member',
    creates: true,
    summary: 'Apply on behalf of a team as its chef, with a link or an uploaded file',
    description:
      'With `type: link`, `content` is any link. With `type: upload`, it is the `secureUrl` of a file that the caller uploaded with `POST /upload/single`. A person takes part in a challenge with one team.',
    input: ApplyInput,
    output: z.object({ submission: Submission }),
    successMessage: 'Application submitted successfully!',
    errors: {
      challengeMissing,
      teamMissing,
      chefRequired,
      challengeInactive,
      challengeExpired,
      teamInactive,
      alreadyApplied,
      memberAlreadyApplied,
      fileMissing,
    },
  }),
  ...challengeSubmissionRoutes,
  ...reminderRoutes,
}
