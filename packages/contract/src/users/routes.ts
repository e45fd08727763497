import { z } from 'zod'
import { userMissing } from '../error-catalogue.ts'
import { PAGE_SIZE } from '../limits.ts'
import { Id, Limit, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { Team } from '../teams/schemas.ts'
import { accountRoutes } from './account-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { Profile, profileErrors, ProfileInput } from './schemas.ts'

export const users = {
  ...accountRoutes,
  ...tokenRoutes,
  profile: route('GET /users/profile', {
    access: 'member',
    summary: 'The caller’s own account',
    description: 'Also shows which account a token belongs to, and its `role`.',
    output: z.object({ user: Profile }),
  }),
  updateProfile: route('PUT /users/profile', {
    access: 'member',
    summary: 'Change the caller’s own account; fields left out stay as they are',
    description:
      'An empty string clears a link, the phone number or the level of experience. Turning `signInOtp` off needs `currentPassword`, or for an account without a password a recent sign-in.',
    hashesPassword: true,
    input: ProfileInput,
    output: z.object({ user: Profile }),
    successMessage: 'Profile updated',
    errors: profileErrors,
  }),
  teams: route('GET /users/{id}/teams', {
    access: 'member',
    summary: 'The teams of a user, by name',
    description: 'Inactive teams are included for their members and for administrators only.',
    input: z.object({ id: Id, ...PageSince, limit: Limit.default(PAGE_SIZE.max).describe('Entries of a page') }),
    output: z.object({ teams: z.array(Team), pagination: Pagination }),
    errors: { userMissing },
  }),
}
