import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '@community/db'
import {
  codes,
  idempotencyKeys,
  knownDevices,
  outbox,
  pendingExternalSignIns,
  rateLimits,
  refreshFamilies,
  refreshTokens,
  sessions,
} from '@community/db/schema'
import { and, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Deps } from '../context.ts'
import { foldCounts } from '../pagination/counts.ts'
import { sweepOrphans } from '../uploads/sweep-orphans.ts'
import type { Worker } from './queue.ts'

const EVERY_MS = 10 * 60_000
/** Milliseconds after the start: nothing is old then, and the first requests come first. */
const FIRST_MS = 30_000

const aDayAgo = sql`now() - interval '1 day'`
const isOver: [PgTable, SQL | undefined][] = [
  [sessions, lte(sessions.expiresAt, aDayAgo)],
  // Before their families, with which a month of them would go in one statement.
  [refreshTokens, sql`${refreshTokens.familyId} in (select id from ${refreshFamilies} where expires_at <= now())`],
  [refreshFamilies, lte(refreshFamilies.expiresAt, sql`now()`)],
  [knownDevices, lte(knownDevices.lastSeenAt, sql`now() - interval '1 year'`)],
  [codes, lte(codes.expiresAt, aDayAgo)],
  [pendingExternalSignIns, lte(pendingExternalSignIns.expiresAt, sql`now()`)],
  [rateLimits, lte(rateLimits.resetsAt, sql`now()`)],
  [idempotencyKeys, lte(idempotencyKeys.expiresAt, sql`now()`)],
  [outbox, and(ne(outbox.status, 'pending'), lte(outbox.createdAt, sql`now() - interval '30 days'`))],
]

/** Rows that one statement deletes: well within the time that one may take. */
const BATCH = 1000

/** Deletes rows whose time is over, batch by batch and each table by itself, so that nobody waits for the others' locks. */
export async function deleteExpired({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const [table, condition] of isOver) {
    // The condition stands outside too: a row may be renewed meanwhile.
    const some = sql`${condition} and ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH}))`
    let deleted: number
    do deleted = (await inTransaction(db, (tx) => tx.delete(table).where(some))).count
    while (deleted === BATCH)
  }
}

const TASKS = { deleteExpired, foldCounts, sweepOrphans }

/** Tidies up every ten minutes; several processes may do so. `onDone` is told how each task ended. */
export function startHousekeeping(deps: Deps, onDone: (task: string, error?: unknown) => void = () => {}): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = async () => {
    await sleep(FIRST_MS, undefined, { signal, ref: false }).catch(() => {})
    while (!signal.aborted) {
      for (const [name, task] of Object.entries(TASKS))
        await task(deps).then(
          () => onDone(name),
          (error: unknown) => {
            deps.log.warn({ err: error, task: name }, 'housekeeping')
            onDone(name, error)
          },
        )
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
