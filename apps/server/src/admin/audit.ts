import { contract, routesOf } from '@community/contract'
import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { insertAuditEntry, insertAuditEntryWithDelta, recordUse } from './audit-commands.ts'

export interface AuditEntry {
  /** Procedure name, for example `admin.createChallenge`. */
  action: string
  /** The default is `audits` of the procedure's route. */
  targetType?: string
  targetId?: string
  /** The changes, without passwords, codes and tokens. */
  details?: Record<string, unknown>
  /** Error code; omitted on success. */
  result?: string
}

const targetTypes = new Map(routesOf(contract).map(([name, { audits }]) => [name, audits]))

const toRow = ({ user, request }: AuthenticatedContext, entry: AuditEntry) => ({
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

/** Appends an entry to the audit log. Pass the action's transaction, so that both commit together. */
export const audit = (tx: Tx, ctx: AuthenticatedContext, entry: AuditEntry): Promise<void> =>
  insertAuditEntry(tx, toRow(ctx, entry))

/** Audits an award with the change of the points. In a `Promise.all` list it after `recalculateStanding`: statements run in the order in which they are sent. */
export const auditAward = (
  tx: Tx,
  ctx: AuthenticatedContext,
  entry: AuditEntry & { targetId: string },
): Promise<void> => insertAuditEntryWithDelta(tx, entry.targetId, toRow(ctx, entry))

/** Counts a use of an access token in the audit log: one entry an hour for each `use`, with the number of uses and the request of the first. */
export const auditUse = (ctx: AuthenticatedContext, use: string, entry: AuditEntry): Promise<void> =>
  recordUse(ctx.db, use, toRow(ctx, entry))
