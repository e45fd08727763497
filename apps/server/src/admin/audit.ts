import { placeholders, prepared, type Tx } from '@community/db'
import { auditLog } from '@community/db/schema'
import type { MemberContext } from '../context.ts'

export interface AuditEntry {
  /** The call, for example `admin.createChallenge`. */
  action: string
  targetType?: string
  targetId?: string
  /** What changed; never a password, a code or a token. */
  details?: Record<string, unknown>
  /** The code of the refusal; left out where it was done. */
  result?: string
}

const entryInsert = prepared('audit.insert', (db) =>
  db.insert(auditLog).values({
    ...placeholders(['action', 'targetType', 'targetId', 'details', 'result']),
    ...placeholders(['actorId', 'actorName', 'address', 'requestId']),
  }),
)
/** Writes what an administrator did into the append-only log, in the transaction that does it. */
export async function audit(tx: Tx, { user, request }: MemberContext, entry: AuditEntry): Promise<void> {
  await entryInsert(tx, {
    action: entry.action,
    targetType: entry.targetType ?? null,
    targetId: entry.targetId ?? null,
    details: entry.details ?? {},
    result: entry.result ?? 'done',
    actorId: user.id,
    actorName: user.name,
    address: request.address,
    requestId: request.id,
  })
}
