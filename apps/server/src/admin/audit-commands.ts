import { type Db, placeholders, prepared, type Tx } from '@community/db'
import { auditLog, pointsLedger } from '@community/db/schema'
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

// The newest entry is this transaction's own: it has locked the submission, so no other can add one.
const newestDelta = sql`select delta from ${pointsLedger}
  where ${pointsLedger.submissionId} = ${sql.placeholder('submissionId')}::uuid order by ${pointsLedger.id} desc limit 1`
const insertWithDelta = prepared('audit.insert-with-delta', (db) =>
  db.insert(auditLog).values({
    ...values,
    details: sql`${values.details}::text::jsonb || jsonb_build_object('delta', (${newestDelta}))`,
  }),
)
/** Like `insertAuditEntry`, with the change of the points that was recorded last for a locked submission as `delta`. */
export async function insertAuditEntryWithDelta(tx: Tx, submissionId: string, entry: AuditRow): Promise<void> {
  await insertWithDelta(tx, { ...entry, details: JSON.stringify(entry.details), submissionId })
}

const hoursSinceEpoch = sql`floor(extract(epoch from now()) / 3600)::bigint`
const useInsert = prepared('audit.record-use', (db) =>
  db
    .insert(auditLog)
    .values({
      ...values,
      useKey: sql`${sql.placeholder('use')}::text || ' ' || ${hoursSinceEpoch}`,
      lastUsedAt: sql`now()`,
    })
    .onConflictDoUpdate({
      target: auditLog.useKey,
      set: { uses: sql`${auditLog.uses} + 1`, lastUsedAt: sql`greatest(${auditLog.lastUsedAt}, now())` },
    }),
)
/** Counts a use of an access token, of which `use` names the token, operation and address, in this hour’s entry. One statement, so it needs no transaction. */
export async function recordUse(db: Db, use: string, entry: AuditRow): Promise<void> {
  await useInsert(db, { ...entry, use })
}
