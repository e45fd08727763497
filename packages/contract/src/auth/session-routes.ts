import { z } from 'zod'
import { sessionMissing } from '../error-catalogue.ts'
import { SIGN_INS_MAX } from '../limits.ts'
import { Count, Id, Page, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { SignIn } from './schemas.ts'

/** Session management; not in the specification. */
export const sessionRoutes = {
  sessions: route('GET /auth/sessions', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'The caller’s sessions: the current one first, then by last use',
    description: `Each is a browser or script that signed in and can still refresh its token. There are ${SIGN_INS_MAX} at most: another sign-in ends the one that was used longest ago. Personal access tokens are not sessions: see \`GET /users/tokens\`.`,
    input: z.object(Page),
    output: z.object({ sessions: z.array(SignIn), pagination: Pagination }),
  }),
  endSession: route('DELETE /auth/sessions/{id}', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'End one of the caller’s sessions and revoke its tokens',
    description: 'The session’s tokens stop working at once. Its id is in `GET /auth/sessions`.',
    input: z.object({ id: Id }),
    successMessage: 'Device signed out',
    errors: { sessionMissing },
  }),
  endSessions: route('DELETE /auth/sessions', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'End all of the caller’s sessions except this one',
    description: 'With `andThisOne` also the session of this request. Personal access tokens stay valid.',
    input: z.object({ andThisOne: z.boolean().default(false).describe('Also end this one') }),
    output: z.object({ ended: Count.describe('Number of sessions ended') }),
    successMessage: 'Signed out everywhere else',
  }),
}
