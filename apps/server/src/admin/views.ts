import type { AuditEntry, BlacklistEntry, Warning } from '@community/contract'
import type { auditLog, blacklist, warnings } from '@community/db/schema'

interface Named {
  id: string
  name: string
}
const personOf = (person: Named | null) => person && { id: person.id, name: person.name }

type WarningRow = Omit<typeof warnings.$inferSelect, 'createdBy' | 'userId'> & {
  user: Named & { email: string }
  author: Named | null
}
export const warningOf = ({ id, reason, createdAt, user, author }: WarningRow): Warning => ({
  id,
  _id: id,
  userId: { id: user.id, _id: user.id, name: user.name, email: user.email },
  reason,
  createdBy: personOf(author),
  createdAt: createdAt.toISOString(),
})

type EntryRow = Omit<typeof blacklist.$inferSelect, 'createdBy' | 'emailKey'> & { author: Named | null }
export const entryOf = ({ id, email, reason, createdAt, author }: EntryRow): BlacklistEntry => ({
  id,
  _id: id,
  email,
  reason,
  createdBy: personOf(author),
  createdAt: createdAt.toISOString(),
})

export const auditEntryOf = (row: typeof auditLog.$inferSelect, targetName: string | null): AuditEntry => ({
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
  createdAt: row.createdAt.toISOString(),
})
