import { z } from 'zod'
import {
  adminsStay,
  notFound,
  noPassword,
  notYourAccount,
  signInLocked,
  tooManyRequests,
  unavailable,
  userMissing,
  wrongPassword,
} from '../error-catalogue.ts'
import { PAGE_SIZE } from '../limits.ts'
import { CurrentPassword, Id, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors } from '../search.ts'
import { Submission } from '../submissions/schemas.ts'
import { Account, Dashboard, PublicAccount, SessionFacts, UserListInput } from './account-schemas.ts'
import { Profile, profileErrors, ProfileInput, User } from './schemas.ts'

export const accountRoutes = {
  list: route('GET /users', {
    access: 'admin',
    summary: 'All accounts, with search, filters, sorting and pages',
    description: '`search` matches names and addresses. Contact data and teams of an account are in `GET /users/{id}`.',
    input: UserListInput,
    output: z.object({ users: z.array(User), pagination: Pagination }),
    errors: searchErrors,
  }),
  dashboard: route('GET /users/dashboard', {
    access: 'member',
    summary: 'The caller’s dashboard: account, figures, teams and their latest submissions',
    description: `One request for what a start page shows: at most ${PAGE_SIZE.max} teams and ${PAGE_SIZE.max} submissions. The lists that page are \`GET /users/{id}/teams\` and \`GET /users/submissions\`.`,
    output: z.object({ dashboard: Dashboard }),
  }),
  submissions: route('GET /users/submissions', {
    access: 'member',
    summary: 'The caller’s submissions, newest first; only approved ones for teams they have left',
    description:
      'What the caller submitted, for any team. For all submissions of the caller’s teams use `GET /challenges/my-team-applications`.',
    input: z.object(PageSince),
    output: z.object({ submissions: z.array(Submission), pagination: Pagination }),
  }),
  debug: route('GET /users/debug', {
    access: 'member',
    sessionOnly: true,
    summary: 'The caller’s session, for debugging; not found in production',
    output: z.object({ session: SessionFacts }),
    errors: { notFound },
  }),
  get: route('GET /users/{id}', {
    access: 'member',
    summary: 'A user: the full account for the user and for administrators, the public part for others',
    description:
      'The owner and administrators get the whole `Account`, others the `PublicAccount`. `visibility` distinguishes them.',
    input: z.object({ id: Id }),
    output: z.object({ user: z.discriminatedUnion('visibility', [Account, PublicAccount]) }),
    errors: { userMissing },
  }),
  update: route('PUT /users/{id}', {
    access: 'member',
    summary: 'The same as PUT /users/profile, with the caller’s own id',
    description: 'The id must be the caller’s own, also for administrators.',
    hashesPassword: true,
    input: ProfileInput.extend({ id: Id }),
    output: z.object({ user: Profile }),
    successMessage: 'Profile updated',
    errors: { notYourAccount, ...profileErrors },
  }),
  remove: route('DELETE /users/{id}', {
    access: 'member',
    sessionOnly: true,
    summary: 'Delete the caller’s own account, with its password; leaves all teams like `teams.leave`',
    description: 'Administrators cannot delete their own account.',
    hashesPassword: true,
    input: z.object({ id: Id, password: CurrentPassword }),
    successMessage: 'Account deleted',
    errors: { notYourAccount, adminsStay, wrongPassword, noPassword, signInLocked, tooManyRequests, unavailable },
  }),
}
