import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { LRUCache } from 'lru-cache'
import { audit } from '../admin/audit.ts'
import type { Context } from '../context.ts'

/** Reads that a process remembers as recorded. */
const REMEMBERED_MAX = 10_000

/**
 * Records reads by tokens with the scope `admin` in the audit log, before the data are sent: once an hour per token and procedure, so
 * that a poller costs one insert. Changes have entries of their own.
 */
export function createReadAudit(): (ctx: Context, procedure: string) => Promise<void> {
  const recorded = new LRUCache<string, true>({ max: REMEMBERED_MAX, ttl: limits.HOUR * 1000 })
  return async (ctx, procedure) => {
    const { user, db } = ctx
    if (!user?.personalToken?.scopes.includes('admin')) return
    const key = `${user.personalToken.id} ${procedure}`
    if (recorded.has(key)) return
    const entry = { action: 'users.useToken', details: { procedure } }
    await inTransaction(db, (tx) => audit(tx, { ...ctx, user }, entry))
    recorded.set(key, true)
  }
}
