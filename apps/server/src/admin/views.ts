import type { AuditEntry, BlacklistEntry, Warning } from '@community/contract'
import type { auditLog, blacklist, warnings } from '@community/db/schema'

interface NamedRow {
  id: string
  name: string
}
const toPersonRef = (person: NamedRow | null) => person && { id: person.id, name: person.name }

type WarningRow = Omit<typeof warnings.$inferSelect, 'createdBy' | 'userId'> & {
  user: NamedRow & { email: string }
  author: NamedRow | null
}
export const toWarning = ({ id, reason, createdAt, user, author }: WarningRow): Warning => ({
  id,
  _id: id,
  userId: { id: user.id, _id: user.id, name: user.name, email: user.email },
  reason,
  createdBy: toPersonRef(author),
  createdAt: createdAt.toISOString(),
})

type BlacklistRow = Omit<typeof blacklist.$inferSelect, 'createdBy' | 'emailKey'> & { author: NamedRow | null }
export const toBlacklistEntry = ({ id, email, reason, createdAt, author }: BlacklistRow): BlacklistEntry => ({
  id,
  _id: id,
  email,
  reason,
  createdBy: toPersonRef(author),
  createdAt: createdAt.toISOString(),
})

export const toAuditEntry = (row: typeof auditLog.$inferSelect, targetName: string | null): AuditEntry => ({
  id: row.uuid,
  _id: row.uuid,
  actor: { id: row.actorId, name: row.actorName },
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  targetName,
  details: row.details,
  result: row.result,
  address: row.address,
  requestId: row.requestId,
  tokenName: row.tokenName,
  uses: row.uses,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
