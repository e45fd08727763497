import { appErrors, searchKey } from '@community/contract'
import { inTransaction, isTimeout, rawQuery, type Reader, prepared } from '@community/db'
import { sql } from 'drizzle-orm'
import { ipKey } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter, type LimiterOptions } from '../http/concurrency-limit.ts'
import { matchesWordStarts } from './search-condition.ts'

/**
 * Sets the transaction's statement timeout and disables parallel plans, which could use all cores. For keys that match the
 * starts of words also disables sequential scans: the planner would scan a table in which many rows match, at 60 µs a row.
 */
const setSearchLimits = prepared(
  'searches.bounded',
  rawQuery(sql`select set_config('statement_timeout', ${sql.placeholder('timeoutMs')}, true),
    set_config('max_parallel_workers_per_gather', '0', true),
    set_config('enable_seqscan', ${sql.placeholder('enableSeqscan')}, true)`),
)

interface SearchOptions extends LimiterOptions {
  /** A search with a statement that takes longer throws `searchTooBroad`. */
  statementTimeoutMs?: number
}

/** A list's input with `search` normalised by the contract's `searchKey`; empty without a search. */
export type WithSearchKey<Input> = Omit<Input, 'search'> & { search: string }

type RunSearch = <T>(
  ctx: Pick<Context, 'db' | 'user' | 'request'>,
  search: string | undefined,
  find: (db: Reader, key: string) => Promise<T>,
) => Promise<T>

/**
 * Limits concurrent searches, which are the slowest queries, so that other requests keep connections and cores. `find` receives
 * the normalised text; an empty search runs without limits. Throws `searchBusy` or `searchTooBroad`.
 */
export function createSearchRunner({
  max = 2,
  perClient = 1,
  maxWaitMs = 2000,
  statementTimeoutMs = 1000,
}: SearchOptions = {}): RunSearch {
  const limiter = createConcurrencyLimiter({ max, perClient, maxWaitMs })
  return async ({ db, user, request }, search = '', find) => {
    const key = searchKey(search)
    if (key === '') return find(db, key)
    const { release } = await limiter.acquire(user?.id ?? ipKey(request.ip)).catch(() => {
      throw new AppError(appErrors.searchBusy)
    })
    try {
      return await inTransaction(db, async (tx) => {
        await setSearchLimits(tx, {
          timeoutMs: String(statementTimeoutMs),
          enableSeqscan: matchesWordStarts(key) ? 'off' : 'on',
        })
        return find(tx, key)
      })
    } catch (error) {
      throw isTimeout(error) ? new AppError(appErrors.searchTooBroad) : error
    } finally {
      release()
    }
  }
}

/** Runs a search under the limits that all lists of this process share. */
export const runSearch = createSearchRunner()
