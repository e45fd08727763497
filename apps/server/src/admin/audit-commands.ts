import { type Db, placeholders, prepared, type Tx } from '@community/db'
import { auditLog } from '@community/db/schema'
import { sql } from 'drizzle-orm'

type AuditRow = Omit<typeof auditLog.$inferSelect, 'id' | 'uuid' | 'createdAt' | 'useKey' | 'uses' | 'lastUsedAt'>

const values = {
  ...placeholders(['action', 'targetType', 'targetId', 'details', 'result']),
  ...placeholders(['actorId', 'actorName', 'address', 'requestId', 'tokenName']),
}
const auditInsert = prepared('audit.insert', (db) => db.insert(auditLog).values(values))
export async function insertAuditEntry(tx: Tx, entry: AuditRow): Promise<void> {
  await auditInsert(tx, entry)
}

const hour = sql`floor(extract(epoch from now()) / 3600)::bigint`
const useInsert = prepared('audit.record-use', (db) =>
  db
    .insert(auditLog)
    .values({ ...values, useKey: sql`${sql.placeholder('use')}::text || ' ' || ${hour}`, lastUsedAt: sql`now()` })
    .onConflictDoUpdate({
      target: auditLog.useKey,
      set: { uses: sql`${auditLog.uses} + 1`, lastUsedAt: sql`greatest(${auditLog.lastUsedAt}, now())` },
    }),
)
/** Counts one use of `use` in its entry of this hour. One statement, so it needs no transaction. */
export async function recordUse(db: Db, use: string, entry: AuditRow): Promise<void> {
  await useInsert(db, { ...entry, use })
}
