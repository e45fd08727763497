import { z } from 'zod'
import { sessionMissing } from '../error-catalogue.ts'
import { Id, Page, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { SignIn } from './schemas.ts'

/** Beyond the specification: where somebody is signed in, and how to end it. */
export const sessionRoutes = {
  sessions: route('GET /auth/sessions', {
    access: 'member',
    summary: 'Where the caller is signed in: this sign-in, then the others, the one seen last first',
    input: z.object(Page),
    output: z.object({ sessions: z.array(SignIn), pagination: Pagination }),
  }),
  endSession: route('DELETE /auth/sessions/{id}', {
    access: 'member',
    summary: 'End one of the caller’s sign-ins; its tokens count no more',
    input: z.object({ id: Id }),
    successMessage: 'Signed out there',
    errors: { sessionMissing },
  }),
  endSessions: route('DELETE /auth/sessions', {
    access: 'member',
    summary: 'End all of the caller’s sign-ins but this one, however many there are',
    input: z.object({ andThisOne: z.boolean().default(false).describe('This one too') }),
    output: z.object({ ended: z.int().describe('How many were ended') }),
    successMessage: 'Signed out everywhere else',
  }),
}
