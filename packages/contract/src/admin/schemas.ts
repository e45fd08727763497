import { z } from 'zod'
import { REASON_LENGTH_MAX, SEARCH_LENGTH_MAX } from '../limits.ts'
import { Email, CurrentPassword, Id, ids, line, Page, text, Timestamp } from '../primitives.ts'
import { searchIn } from '../search.ts'
import { SubmissionStats } from '../submissions/schemas.ts'

/** The administrator’s own password, checked before any effect. */
export const PasswordConfirmation = { password: CurrentPassword }

export const Reason = text('This field is required')
  .min(1, 'This field is required')
  .max(REASON_LENGTH_MAX, `Maximum ${REASON_LENGTH_MAX} characters allowed`)

const Person = z.object({ id: z.uuid(), name: z.string() })

export const Warning = z
  .object({
    ...ids,
    userId: z.object({ ...ids, name: z.string(), email: z.string() }),
    reason: z.string(),
    createdBy: Person.nullable().describe('Null when that account is gone'),
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
    action: z.string().describe('The call, for example `admin.ban`'),
    targetType: z.string().nullable(),
    targetId: z.string().nullable(),
    targetName: z.string().nullable().describe('What it is called now; null once it is gone, or where it has no name'),
    details: z.record(z.string(), z.unknown()),
    result: z.string().describe('`done`, or the code of the refusal'),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditInput = z.object({
  ...Page,
  actorId: Id.optional(),
  action: line().max(SEARCH_LENGTH_MAX).optional().describe('Begins with this'),
  targetId: line().max(SEARCH_LENGTH_MAX).toLowerCase().optional(),
  search: searchIn(
    'the administrator’s name, the entry’s details, or the name or address of who or what it was done to',
  ),
})

/** All challenges together, inactive ones too. */
export const ChallengeTotals = z
  .object({
    total: z.int(),
    active: z.int().describe('Active, with the deadline ahead'),
    expired: z.int().describe('The deadline is over'),
    points: z.int(),
  })
  .meta({ id: 'ChallengeTotals' })
export type ChallengeTotals = z.output<typeof ChallengeTotals>

/** A figure and how it changed: the last 30 days against the 30 before, in per cent; null where there was nothing before. */
const Trend = z.object({ last30Days: z.int(), before: z.int(), changePercent: z.number().nullable() })

export const AdminStats = SubmissionStats.extend({
  totalUsers: z.int(),
  activeUsers: z.int().describe('Not banned'),
  bannedUsers: z.int(),
  totalTeams: z.int(),
  activeTeams: z.int(),
  totalChallenges: z.int(),
  warningCount: z.int(),
  recentActivity: z.array(AuditEntry).describe('The ten latest entries of the audit log'),
  trends: z.object({ users: Trend, submissions: Trend }),
  weeks: z
    .array(
      z.object({
        start: Timestamp.describe('Monday, UTC'),
        registrations: z.int(),
        applications: z.int(),
        approvals: z.int(),
        points: z.int(),
      }),
    )
    .describe('The last 12 weeks, the oldest first'),
  scores: z
    .array(
      z.object({
        challenge: z.object({ ...ids, title: z.string() }),
        counts: z.array(z.int()).length(10).describe('Approved submissions with a score of 1-10, 11-20, … 91-100'),
      }),
    )
    .describe('Of the ten challenges with the latest verdicts'),
  system: z.object({ database: z.boolean(), storage: z.boolean(), mail: z.boolean() }).describe('Does it answer?'),
}).meta({ id: 'AdminStats' })
export type AdminStats = z.output<typeof AdminStats>
