import { announcements, notifications } from '@community/db/schema'
import { eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { ColumnsOf, TableName } from '../decision.ts'

interface Archived<Column extends string> {
  /** The columns that the archive leaves out. */
  withheld?: readonly Column[]
  /** The rows that it has; by default all. */
  where?: SQL
  /** What it has instead of the value of a column. */
  values?: { readonly [C in Column]?: SQL }
}

/** What the archive of the whole product has of a table; or why it leaves the table out. */
type ArchiveDecision<N extends TableName> = Archived<ColumnsOf<N>> | { omitted: string }
type ArchiveDecisions = { readonly [N in TableName]: ArchiveDecision<N> }

const SIGNED_OUT = 'everybody signs in again'
const SHORT_LIVED = 'ends within a day'

/**
 * Decides each table once: one without a decision does not compile. Of the others all columns are archived, except those withheld here
 * and the secrets of `DATA_COLUMNS`.
 */
export const ARCHIVED: ArchiveDecisions = {
  users: {},
  identities: {},
  knownDevices: {},
  refreshFamilies: { omitted: SIGNED_OUT },
  refreshTokens: { omitted: SIGNED_OUT },
  sessions: { omitted: SIGNED_OUT },
  codes: { omitted: 'secrets that end within an hour' },
  personalTokens: { omitted: 'secrets: their owners create new ones' },
  pendingExternalSignIns: { omitted: SHORT_LIVED },
  rateLimits: { omitted: SHORT_LIVED },
  idempotencyKeys: { omitted: SHORT_LIVED },
  idempotencyOwners: { omitted: 'counted by triggers' },
  counts: { omitted: 'counted by triggers' },
  jobs: { omitted: 'sealed inputs, and mails that were sent' },
  archiveImports: { omitted: 'the state of an import' },
  webhooks: { omitted: 'a copy must not send to receivers of the original; their secrets are sealed' },
  webhookDeliveries: { omitted: 'messages of omitted webhooks' },
  // As in the inbox; a copy must not send them again.
  notifications: {
    where: eq(notifications.isInApp, true),
    values: { mail: sql`'off'`, push: sql`false`, digestId: sql`null` },
  },
  notificationPreferences: {},
  notificationSettings: {},
  mailBounces: {},
  pushSubscriptions: { omitted: SIGNED_OUT },
  // A copy must not publish the scheduled ones.
  announcements: { where: isNotNull(announcements.sentAt) },
  challengeReminders: {},
  roles: {},
  teams: {},
  teamRolesNeeded: {},
  teamMembers: {},
  pastMembers: {},
  // The archive has no jobs: in a copy, a challenge that was being deleted is inactive and can be deleted again.
  challenges: { withheld: ['deletedAt'] },
  uploads: {},
  submissions: {},
  submissionMembers: {},
  pointsLedger: {},
  warnings: {},
  blacklist: {},
  // Names an hour that is over, and a token that is not archived.
  auditLog: { withheld: ['useKey'] },
  // Identifies the installation rather than its content.
  settings: { withheld: ['communityId'] },
}
