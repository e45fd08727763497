import { announcements, notifications } from '@community/db/schema'
import { eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { ColumnsOf, TableName } from '../decision.ts'

interface Archived<Column extends string> {
  /** Columns left out. */
  withheld?: readonly Column[]
  /** Selects the archived rows; by default all. */
  where?: SQL
  /** For each column whose stored value is not archived: the SQL expression that is archived instead. */
  values?: { readonly [C in Column]?: SQL }
}

/** What is archived of a table, or why the table is omitted. */
type ArchiveDecision<N extends TableName> = Archived<ColumnsOf<N>> | { omitted: string }
type ArchiveDecisions = { readonly [N in TableName]: ArchiveDecision<N> }

const SIGNED_OUT = 'everybody signs in again'
const SHORT_LIVED = 'ends within a day'

/**
 * What the archive of the whole product contains. A table that is missing here does not compile. All columns of a table are archived, except
 * those withheld here and the secrets of `DATA_COLUMNS`.
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
  // Only those of the inbox, and none is mailed or pushed again by the copy.
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
  // Refers to access tokens, which are not archived.
  auditLog: { withheld: ['useKey'] },
  // Identifies the installation rather than its content.
  settings: { withheld: ['communityId'] },
}
