import { contract, routesOf } from '@community/contract'
import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { insertAuditEntry } from './audit-commands.ts'

export interface AuditEntry {
  /** Procedure name, for example `admin.createChallenge`. */
  action: string
  /** The default is what the procedure's declaration `audits`. */
  targetType?: string
  targetId?: string
  /** The changes, without passwords, codes and tokens. */
  details?: Record<string, unknown>
  /** Error code; omitted on success. */
  result?: string
}

const targetTypes = new Map(routesOf(contract).map(([name, { audits }]) => [name, audits]))

/** Appends an entry to the audit log. Pass the action's transaction, so that both commit together. */
export async function audit(tx: Tx, { user, request }: AuthenticatedContext, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(tx, {
    action: entry.action,
    targetType: entry.targetType ?? targetTypes.get(entry.action) ?? null,
    targetId: entry.targetId ?? null,
    details: entry.details ?? {},
    result: entry.result ?? 'done',
    actorId: user.id,
    actorName: user.name,
    address: request.ip,
    requestId: request.id,
    tokenName: user.personalToken?.name ?? null,
  })
}
