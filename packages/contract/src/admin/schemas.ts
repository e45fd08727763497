import { z } from 'zod'
import { REASON_LENGTH_MAX, SEARCH_LENGTH_MAX, STATS_WEEKS } from '../limits.ts'
import { AdminPassword, Count, Email, Id, ids, line, Page, text, Timestamp } from '../primitives.ts'
import { VISIBLE_TEXT } from '../patterns.ts'
import { searchIn } from '../search.ts'
import { SubmissionStats } from '../submissions/schemas.ts'

/** Destructive actions require the administrator’s own password. */
export const PasswordConfirmation = {
  password: AdminPassword.describe(
    'The administrator’s own password. Required when signed in; ignored with a personal access token',
  ),
}

export const Reason = text('This field is required')
  .min(1, 'This field is required')
  .max(REASON_LENGTH_MAX, `Maximum ${REASON_LENGTH_MAX} characters allowed`)
  .meta({ pattern: VISIBLE_TEXT, example: 'Shared a solution before the deadline' })

const Person = z.object({ id: z.uuid(), name: z.string() })

export const Warning = z
  .object({
    ...ids,
    userId: z.object({ ...ids, name: z.string(), email: z.string() }),
    reason: z.string(),
    createdBy: Person.nullable().describe('Null if that account was deleted'),
    createdAt: Timestamp,
  })
  .meta({ id: 'Warning' })
export type Warning = z.output<typeof Warning>

export const BlacklistEntry = z
  .object({
    ...ids,
    email: z.string(),
    reason: z.string(),
    createdBy: Person.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'BlacklistEntry' })
export type BlacklistEntry = z.output<typeof BlacklistEntry>

export const BlacklistInput = z.object({ email: Email, reason: Reason })

export const AuditEntry = z
  .object({
    ...ids,
    actor: z.object({ id: z.uuid().nullable(), name: z.string() }),
    action: z.string().describe('The procedure, for example `admin.ban`'),
    targetType: z.string().nullable(),
    targetId: z.string().nullable(),
    targetName: z.string().nullable().describe('The current name; null if the target is deleted or has no name'),
    details: z.record(z.string(), z.unknown()),
    result: z.string().describe('`done`, or the error code'),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    tokenName: z.string().nullable().describe('The personal access token that was used; null for a session'),
    uses: z
      .int()
      .min(1)
      .describe(
        '1, but for `users.useToken`: the reads of one procedure by one token and IP address in an hour, whose first this entry describes',
      ),
    lastUsedAt: Timestamp.nullable().describe('The last of these reads; null for actions'),
    createdAt: Timestamp,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditInput = z.object({
  ...Page,
  actorId: Id.optional().describe('Only entries of this administrator'),
  action: line().max(SEARCH_LENGTH_MAX).optional().describe('The action’s name, or a prefix of several names'),
  targetId: line()
    .max(SEARCH_LENGTH_MAX)
    .toLowerCase()
    .optional()
    .describe('Only entries about the object with this id'),
  search: searchIn(
    'the names of the administrator and the access token, the entry’s details, or the target’s name or address',
  ),
})

/** Totals over all challenges, including inactive ones. */
export const ChallengeTotals = z
  .object({
    total: Count,
    active: Count.describe('Active and before the deadline'),
    expired: Count.describe('Past the deadline'),
    points: Count,
  })
  .meta({ id: 'ChallengeTotals' })
export type ChallengeTotals = z.output<typeof ChallengeTotals>

/** The last 30 days compared with the 30 before; `changePercent` is null if there was nothing before. */
const Trend = z
  .object({ last30Days: Count, before: Count, changePercent: z.number().nullable() })
  .describe('Whole days, UTC: today and the 29 before, and the 30 before these')

export const AdminStats = SubmissionStats.extend({
  totalUsers: Count,
  activeUsers: Count.describe('Accounts that are not banned'),
  bannedUsers: Count,
  totalTeams: Count,
  activeTeams: Count,
  totalChallenges: Count,
  warningCount: Count,
  recentActivity: z.array(AuditEntry).describe('The ten most recent audit log entries'),
  trends: z.object({ users: Trend, submissions: Trend }),
  weeks: z
    .array(
      z.object({
        start: Timestamp.describe('Monday, UTC'),
        registrations: Count,
        applications: Count,
        approvals: Count,
        points: z.int().describe('Points given minus points taken back in this week, which may be negative'),
      }),
    )
    .describe(`The last ${STATS_WEEKS} weeks, oldest first`),
  scores: z
    .array(
      z.object({
        challenge: z.object({ ...ids, title: z.string() }),
        counts: z.array(Count).length(10).describe('Approved submissions with a score of 1-10, 11-20, … 91-100'),
      }),
    )
    .describe('The ten most recently evaluated challenges'),
  system: z
    .object({ database: z.boolean(), storage: z.boolean(), mail: z.boolean() })
    .describe('Whether each service responds'),
}).meta({ id: 'AdminStats' })
export type AdminStats = z.output<typeof AdminStats>
