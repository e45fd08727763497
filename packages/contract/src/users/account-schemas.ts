import { z } from 'zod'
import { Count, ids, Page, Timestamp } from '../primitives.ts'
import { searchIn } from '../search.ts'
import { Submission } from '../submissions/schemas.ts'
import { Team } from '../teams/schemas.ts'
import { Profile, ROLES_OF_USERS } from './schemas.ts'

export const USER_SORTS = ['createdAt', 'name', 'email', 'warnings'] as const
const USER_STATUSES = ['active', 'banned'] as const

export const UserListInput = z.object({
  ...Page,
  search: searchIn('name and e-mail'),
  role: z.enum(ROLES_OF_USERS).optional().describe('Only accounts with this role'),
  status: z.enum(USER_STATUSES).optional().describe('Only banned accounts, or only others'),
  sort: z.enum(USER_SORTS).default('createdAt').describe('What they are sorted by'),
  order: z.enum(['asc', 'desc']).default('desc').describe('The direction of `sort`'),
})

const TeamRef = z.object({ ...ids, name: z.string() })
const teamsAndWorks = {
  teams: z.array(TeamRef).describe('By name; inactive teams only for their members and administrators'),
  works: z.array(Submission).describe('Approved submissions of these teams, newest first, at most 20'),
}

/** The part of an account that every signed-in user may see. */
export const PublicAccount = z
  .object({
    visibility: z.literal('public'),
    ...ids,
    name: z.string(),
    avatarUrl: z.string().nullable(),
    createdAt: Timestamp,
    ...teamsAndWorks,
  })
  .meta({ id: 'PublicAccount' })
export type PublicAccount = z.output<typeof PublicAccount>

/** A full account, for its owner and administrators. */
export const Account = Profile.extend({ visibility: z.literal('full'), ...teamsAndWorks }).meta({ id: 'Account' })
export type Account = z.output<typeof Account>

export const Dashboard = z
  .object({
    user: Profile,
    stats: z.object({
      teams: Count,
      points: Count.describe('Over all of the caller’s teams'),
      challengesCompleted: Count,
      submissions: Count,
      pending: Count,
      approved: Count,
      rejected: Count,
    }),
    teams: z.array(Team).describe('By name, at most 100'),
    submissions: z.array(Submission).describe('Of these teams, newest first, at most 100'),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.output<typeof Dashboard>

/** Debug information about the session of a request. */
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
