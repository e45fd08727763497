import type { AuditEntry } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { type auditLog, challenges, submissions, teams, users } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import { toAuditEntry } from './views.ts'

type AuditRow = typeof auditLog.$inferSelect

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const anyOfIds = sql`any(${sql.placeholder('ids')}::uuid[])`

const targetNamesByIds = prepared('admin.audit.names', (db) =>
  db.select({ id: sql<string>`target.id`, name: sql<string>`target.name` }).from(
    sql`(select id::text, name from ${users} where ${users.id} = ${anyOfIds}
        union all select id::text, name from ${teams} where ${teams.id} = ${anyOfIds}
        union all select id::text, title from ${challenges} where ${challenges.id} = ${anyOfIds}
        union all select ${submissions.id}::text, ${teams.name} || ' · ' || ${challenges.title} from ${submissions}
          join ${teams} on ${teams.id} = ${submissions.teamId}
          join ${challenges} on ${challenges.id} = ${submissions.challengeId}
          where ${submissions.id} = ${anyOfIds}) as target`,
  ),
)

/** The API representation of entries, with the current names of their targets: the log stores only ids. */
export async function toAuditEntries(db: Reader, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const ids = rows.flatMap(({ targetId }) => (targetId !== null && UUID.test(targetId) ? [targetId] : []))
  const names = ids.length === 0 ? [] : await targetNamesByIds(db, { ids: [...new Set(ids)] })
  const nameById = new Map(names.map(({ id, name }) => [id, name]))
  return rows.map((row) => toAuditEntry(row, nameById.get(row.targetId ?? '') ?? null))
}
