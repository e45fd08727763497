import { placeholders, prepared, type Tx } from '@community/db'
import { auditLog } from '@community/db/schema'

type AuditRow = Omit<typeof auditLog.$inferSelect, 'id' | 'uuid' | 'createdAt'>

const auditInsert = prepared('audit.insert', (db) =>
  db.insert(auditLog).values({
    ...placeholders(['action', 'targetType', 'targetId', 'details', 'result']),
    ...placeholders(['actorId', 'actorName', 'address', 'requestId', 'tokenName']),
  }),
)
export async function insertAuditEntry(tx: Tx, entry: AuditRow): Promise<void> {
  await auditInsert(tx, entry)
}
