import type { AuditEntry } from '@community/contract'
import type { Reader } from '@community/db'
import type { auditLog } from '@community/db/schema'
import { findTargetNames } from './queries.ts'
import { toAuditEntry } from './views.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The API representation of entries, with the current names of their targets: the log stores only ids. */
export async function toAuditEntries(
  db: Reader,
  rows: readonly (typeof auditLog.$inferSelect)[],
): Promise<AuditEntry[]> {
  const ids = rows.flatMap(({ targetId }) => (targetId !== null && UUID.test(targetId) ? [targetId] : []))
  const names = ids.length === 0 ? [] : await findTargetNames(db, [...new Set(ids)])
  const nameById = new Map(names.map(({ id, name }) => [id, name]))
  return rows.map((row) => toAuditEntry(row, nameById.get(row.targetId ?? '') ?? null))
}
