import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isDatabaseUnavailable } from '@community/db'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { describeError } from '../start/setting-errors.ts'

/** Milliseconds that the replica has to respond and to replay what the primary has committed. */
const CATCH_UP_TIMEOUT_MS = 2000
/** Milliseconds between checks of what the replica has replayed. */
const POLL_MS = 25
/** Milliseconds for which the primary serves all reads after the replica failed. */
const RETRY_MS = 10_000

/**
 * Runs a read that may be seconds old: on the replica once it has what the primary has now, else on the primary. If the replica fails,
 * the read runs again on the primary, unless `canRetry` forbids it.
 */
export type ReplicaRead = <T>(read: (db: Db) => Promise<T>, canRetry?: () => boolean) => Promise<T>

export interface Replica {
  createRead(pools: { primary: Db; replica: Db }): ReplicaRead
  /** How many reads each server has been given. */
  reads: Readonly<Record<'replica' | 'primary', number>>
}

/** Runs every read on the primary, for a product without a replica. */
export const createPrimaryRead =
  (db: Db): ReplicaRead =>
  (read) =>
    read(db)

/** Identifies a database, also on its replicas. */
const identity = sql`(select system_identifier from pg_control_system()) || '/' || current_database()`

interface Position extends Record<string, unknown> {
  database: string
  /** In hexadecimal. */
  timeline: string
  lsn: string
}

async function findPosition(primary: Db): Promise<Position | undefined> {
  const query = sql`select ${identity} as database, left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
    pg_current_wal_flush_lsn()::text as lsn`
  const [position] = await primary.execute<Position>(query)
  return position
}

interface ReplicaState extends Record<string, unknown> {
  database: string
  isStandby: boolean
  /** Null unless the role may read all statistics. */
  timeline: string | null
  hasReplayed: boolean
}

/** Waits until the replica has replayed the WAL up to `lsn`. Throws unless it is a standby of the primary's database. */
async function waitForReplay(replica: Db, { database, timeline, lsn }: Position, signal: AbortSignal): Promise<void> {
  const query = sql`select ${identity} as database, pg_is_in_recovery() as "isStandby",
    (select upper(lpad(to_hex(received_tli), 8, '0')) from pg_stat_wal_receiver) as timeline,
    coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "hasReplayed"`
  while (!signal.aborted) {
    const [state] = await replica.execute<ReplicaState>(query)
    if (state?.database !== database) throw new Error('it is not a copy of the database of DATABASE_URL')
    if (!state.isStandby) throw new Error('it is not a standby')
    // Positions of another timeline mean nothing. One that follows a new primary gets to its timeline soon.
    if (state.hasReplayed && (state.timeline ?? timeline) === timeline) return
    await sleep(POLL_MS)
  }
}

/** Like `waitForReplay`, but throws after `CATCH_UP_TIMEOUT_MS`, even if the replica does not respond. */
async function assertCurrent(replica: Db, position: Position): Promise<void> {
  const timeout = AbortSignal.timeout(CATCH_UP_TIMEOUT_MS)
  const tooLate = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`it has not caught up with the primary within ${CATCH_UP_TIMEOUT_MS / 1000} s`))
    timeout.addEventListener('abort', fail, { once: true })
  })
  await Promise.race([waitForReplay(replica, position, timeout), tooLate])
}

/** `primary` and `replica` are pools with deadlines, for the checks. */
export function createReplica(primary: Db, replica: Db, log: FastifyBaseLogger, retryMs = RETRY_MS): Replica {
  let isUsed = true
  let retryAt = 0
  const reads = { replica: 0, primary: 0 }
  const setUsed = (used: boolean, reason = '') => {
    if (used && !isUsed) log.info('DATABASE_REPLICA_URL: the replica is used again')
    if (!used && isUsed)
      log.warn(`DATABASE_REPLICA_URL: the replica is not used (${reason}); the primary serves its reads`)
    isUsed = used
  }
  const pause = (error: unknown) => {
    retryAt = performance.now() + retryMs
    // Drizzle's own message repeats the statement.
    setUsed(false, describeError(error instanceof DrizzleQueryError ? error.cause : error))
  }
  const isCurrent = async (): Promise<boolean> => {
    if (performance.now() < retryAt) return false
    // Without a position the primary is unavailable or demoted, which its own read reports.
    const position = await findPosition(primary).catch(() => undefined)
    if (!position) return false
    try {
      await assertCurrent(replica, position)
      return true
    } catch (error) {
      pause(error)
      return false
    }
  }
  return {
    reads,
    createRead: (pools) => async (read, canRetry) => {
      if (await isCurrent())
        try {
          reads.replica++
          const result = await read(pools.replica)
          setUsed(true)
          return result
        } catch (error) {
          // Any other error is the caller's, such as a client that disconnected.
          if (!(error instanceof DrizzleQueryError) && !isDatabaseUnavailable(error)) throw error
          pause(error)
          if (canRetry?.() === false) throw error
        }
      reads.primary++
      return read(pools.primary)
    },
  }
}
