import { z } from 'zod'
import { userMissing } from '../faults.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { Team } from '../teams/schemas.ts'
import { accountRoutes } from './account-routes.ts'
import { Profile, profileFaults, ProfileInput } from './schemas.ts'

export const users = {
  ...accountRoutes,
  profile: route('GET /users/profile', {
    access: 'member',
    summary: 'The caller’s own account',
    output: z.object({ user: Profile }),
  }),
  updateProfile: route('PUT /users/profile', {
    access: 'member',
    summary: 'Change the caller’s own account; fields left out stay as they are',
    hashes: true,
    input: ProfileInput,
    output: z.object({ user: Profile }),
    done: 'Profile updated',
    faults: profileFaults,
  }),
  teams: route('GET /users/{id}/teams', {
    access: 'member',
    summary: 'The teams a person belongs to',
    input: z.object({ id: Id }),
    output: z.object({ teams: z.array(Team) }),
    faults: { userMissing },
  }),
}
