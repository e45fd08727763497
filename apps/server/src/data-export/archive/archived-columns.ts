import type { ColumnsOf, TableName } from '../decision.ts'

/** The columns of a table that the archive of the whole product includes, and those it leaves out. */
interface ArchivedTable<Column extends string> {
  columns: readonly Column[]
  /** Secrets, and what identifies the installation rather than its content. */
  withheld?: readonly Column[]
}
/** Why a table is not in the archive. */
interface OmittedTable {
  omitted: string
}
type ArchiveDecisions = { readonly [N in TableName]: ArchivedTable<ColumnsOf<N>> | OmittedTable }

const SIGNED_OUT = 'everybody signs in again'
const SHORT_LIVED = 'ends within a day'

/** Decides each table and column once: a table without a decision does not compile, and a test finds the column without one. */
export const ARCHIVED: ArchiveDecisions = {
  users: {
    columns: [
      ...(['id', 'name', 'email', 'role', 'avatarUrl', 'phone', 'github', 'instagram', 'portfolio', 'bio'] as const),
      ...(['experience', 'language', 'signInOtp', 'warningCount', 'isBanned', 'banReason', 'bannedAt'] as const),
      ...(['searchText', 'createdAt', 'updatedAt'] as const),
    ],
    withheld: ['passwordHash'],
  },
  identities: { columns: ['issuer', 'subject', 'userId', 'createdAt'] },
  knownDevices: { columns: ['userId', 'browser', 'system', 'createdAt', 'lastSeenAt'] },
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
  notifications: { omitted: 'kept for 90 days; a copy must not notify people again' },
  notificationPreferences: { columns: ['userId', 'kind', 'app', 'mail', 'push'] },
  notificationSettings: {
    columns: ['userId', 'digestHour', 'digestWeekday', 'quietFrom', 'quietTo', 'timeZone', 'updatedAt'],
  },
  mailBounces: { omitted: 'replies of a mail server' },
  pushSubscriptions: { omitted: SIGNED_OUT },
  announcements: { omitted: 'a copy must not publish scheduled ones; sent ones are notifications' },
  challengeReminders: { columns: ['challengeId', 'teamId', 'createdBy', 'createdAt'] },
  roles: { columns: ['id', 'name', 'emoji', 'description', 'category', 'requirements', 'position'] },
  teams: {
    columns: [
      ...(['id', 'name', 'nameKey', 'description', 'isActive', 'ownerId', 'maxMembers', 'memberCount'] as const),
      ...(['points', 'challengesCompleted', 'pointsReachedAt', 'experience', 'searchText'] as const),
      ...(['createdAt', 'updatedAt'] as const),
    ],
  },
  teamRolesNeeded: { columns: ['teamId', 'roleId', 'position'] },
  teamMembers: {
    columns: [
      ...(['id', 'teamId', 'userId', 'roleId', 'isChef', 'name', 'email', 'phone', 'github', 'instagram'] as const),
      ...(['portfolio', 'bio', 'experience', 'joinedAt'] as const),
    ],
  },
  pastMembers: { columns: ['teamId', 'userId', 'leftAt'] },
  challenges: {
    columns: [
      ...(['id', 'title', 'description', 'requirements', 'deadline', 'points', 'category', 'difficulty'] as const),
      ...(['tags', 'maxSubmissions', 'evaluationCriteria', 'resources', 'isActive', 'submissionCount'] as const),
      ...(['createdBy', 'searchText', 'createdAt', 'updatedAt'] as const),
    ],
  },
  uploads: {
    columns: [
      ...(['id', 'key', 'userId', 'originalName', 'size', 'mimeType', 'attachedAt', 'preview', 'createdAt'] as const),
    ],
  },
  submissions: {
    columns: [
      ...(['id', 'challengeId', 'teamId', 'submittedBy', 'type', 'content', 'uploadId', 'notes', 'status'] as const),
      ...(['score', 'points', 'feedback', 'evaluatedBy', 'evaluatedAt', 'createdAt', 'updatedAt'] as const),
    ],
  },
  submissionMembers: { columns: ['submissionId', 'userId'] },
  pointsLedger: { columns: ['id', 'teamId', 'challengeId', 'submissionId', 'reason', 'delta', 'createdAt'] },
  warnings: { columns: ['id', 'userId', 'reason', 'createdBy', 'createdAt'] },
  blacklist: { columns: ['id', 'email', 'emailKey', 'reason', 'createdBy', 'createdAt'] },
  auditLog: {
    columns: [
      ...(['id', 'uuid', 'actorId', 'actorName', 'action', 'targetType', 'targetId', 'details', 'result'] as const),
      ...(['address', 'requestId', 'tokenName', 'uses', 'lastUsedAt', 'createdAt'] as const),
    ],
    // Names an hour that is over, and a token that is not archived.
    withheld: ['useKey'],
  },
  settings: {
    columns: ['id', 'teamCreationEnabled', 'pages', 'updatedAt'],
    withheld: ['communityId', 'secretFingerprint'],
  },
}
