import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '@community/db'
import { codes, idempotencyKeys, outbox, rateLimits, refreshFamilies, sessions } from '@community/db/schema'
import { and, lte, ne, sql } from 'drizzle-orm'
import type { Deps } from './context.ts'
import { sweepOrphans } from './uploads/sweep-orphans.ts'
import type { Worker } from './outbox.ts'

const EVERY_MS = 10 * 60_000
/** Milliseconds after the start: nothing is old then, and the first requests come first. */
const FIRST_MS = 30_000

/** Deletes rows whose time is over. */
export const deleteExpired = ({ db }: Pick<Deps, 'db'>): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = sql`now()`
    const aDayAgo = sql`now() - interval '1 day'`
    await tx.delete(sessions).where(lte(sessions.expiresAt, aDayAgo))
    await tx.delete(refreshFamilies).where(lte(refreshFamilies.expiresAt, now))
    await tx.delete(codes).where(lte(codes.expiresAt, aDayAgo))
    await tx.delete(rateLimits).where(lte(rateLimits.resetsAt, now))
    await tx.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, now))
    await tx
      .delete(outbox)
      .where(and(ne(outbox.status, 'pending'), lte(outbox.createdAt, sql`now() - interval '30 days'`)))
  })

/** Tidies up every ten minutes; several processes may do so. */
export function startHousekeeping(deps: Deps): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = async () => {
    await sleep(FIRST_MS, undefined, { signal, ref: false }).catch(() => {})
    while (!signal.aborted) {
      for (const task of [deleteExpired, sweepOrphans])
        await task(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'housekeeping'))
      await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
