import { z } from 'zod'
import { ids, Page, Timestamp } from '../primitives.ts'
import { searchIn } from '../search.ts'
import { Submission } from '../submissions/schemas.ts'
import { Team } from '../teams/schemas.ts'
import { Profile, ROLES_OF_USERS } from './schemas.ts'

export const USER_SORTS = ['createdAt', 'name', 'email', 'warnings'] as const
export const USER_STATUSES = ['active', 'banned'] as const

export const UserListInput = z.object({
  ...Page,
  search: searchIn('name and e-mail'),
  role: z.enum(ROLES_OF_USERS).optional(),
  status: z.enum(USER_STATUSES).optional(),
  sort: z.enum(USER_SORTS).default('createdAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
})

const TeamRef = z.object({ ...ids, name: z.string() })
const teamsAndWorks = {
  teams: z.array(TeamRef).describe('By name; inactive ones show to who is in them and to administrators'),
  works: z.array(Submission).describe('Approved work of these teams, newest first, 20 at most'),
}

/** What anybody signed in may know of somebody. */
export const PublicAccount = z
  .object({ ...ids, name: z.string(), avatarUrl: z.string().nullable(), createdAt: Timestamp, ...teamsAndWorks })
  .meta({ id: 'PublicAccount' })
export type PublicAccount = z.output<typeof PublicAccount>

/** All of an account, for its owner and for administrators. */
export const Account = Profile.extend(teamsAndWorks).meta({ id: 'Account' })
export type Account = z.output<typeof Account>

export const Dashboard = z
  .object({
    user: Profile,
    stats: z.object({
      teams: z.int(),
      points: z.int().describe('Of all of the caller’s teams'),
      challengesCompleted: z.int(),
      submissions: z.int(),
      pending: z.int(),
      approved: z.int(),
      rejected: z.int(),
    }),
    teams: z.array(Team).describe('By name, 100 at most'),
    submissions: z.array(Submission).describe('Of these teams, newest first, 100 at most'),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.output<typeof Dashboard>

/** What the server knows of the session a call was made with. */
export const SessionFacts = z
  .object({
    userId: z.uuid(),
    role: z.enum(ROLES_OF_USERS),
    signInId: z.uuid(),
    signedInAt: Timestamp,
    expiresAt: Timestamp.describe('When the access token expires'),
    address: z.string(),
    userAgent: z.string(),
    requestId: z.string(),
    serverTime: Timestamp,
  })
  .meta({ id: 'SessionFacts' })
