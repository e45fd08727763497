import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorDefinition, appErrors } from '@community/contract'
import { type Db, rawQuery, prepared, secondsUntil, type Tx } from '@community/db'
import { rateLimits } from '@community/db/schema'
import { and, eq, gt, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'

/** At most `max` slots in a fixed window of `seconds`, which starts with the first. */
export interface Limit {
  max: number
  seconds: number
}

interface ConsumeResult {
  /** Whether a slot was free. */
  isConsumed: boolean
  /** Seconds until the window ends. */
  cooldown: number
}

const [keyParam, keysParam, maxParam, secondsParam] = ['key', 'keys', 'max', 'seconds'].map((name) =>
  sql.placeholder(name),
)

const takeSlotStatement = prepared('rate-limits.take', (db) => {
  const windowEnd = sql`now() + make_interval(secs => ${secondsParam})`
  const windowEnded = sql`${rateLimits.resetsAt} <= now()`
  return db
    .insert(rateLimits)
    .values({ key: sql`${keyParam}`, count: 1, resetsAt: windowEnd })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${windowEnded} then 1 else ${rateLimits.count} + 1 end`,
        resetsAt: sql`case when ${windowEnded} then ${windowEnd} else ${rateLimits.resetsAt} end`,
      },
      setWhere: sql`${windowEnded} or ${rateLimits.count} < ${maxParam}`,
    })
    .returning({ key: rateLimits.key })
})
/** Takes a slot of a key. One statement, so that all processes together never take more than `max`. */
export async function tryConsumeRateLimit(db: Db | Tx, key: string, limit: Limit): Promise<ConsumeResult> {
  const [row] = await takeSlotStatement(db, { ...limit, key })
  if (row) return { isConsumed: true, cooldown: 0 }
  return { isConsumed: false, cooldown: await secondsLeft(db, key) }
}

/** Seconds until the window of a key ends. */
async function secondsLeft(db: Db | Tx, key: string): Promise<number> {
  const [row] = await db
    .select({ cooldown: secondsUntil(rateLimits.resetsAt) })
    .from(rateLimits)
    .where(eq(rateLimits.key, key))
  return row?.cooldown ?? 1
}

/** Returns true once per window of a key, to a single caller among all processes. Call it to report an exceeded limit once. */
export async function isFirstOfWindow(tx: Tx, key: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    insert into rate_limits as notice (key, count, resets_at)
    select ${`${key}:reported`}, 1, resets_at from rate_limits where key = ${key} and resets_at > now()
    on conflict (key) do update set resets_at = excluded.resets_at where notice.resets_at < excluded.resets_at
    returning key`)
  return rows.length > 0
}

/** Releases a slot whose attempt does not count. */
export async function releaseSlot(db: Db | Tx, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(and(eq(rateLimits.key, key), gt(rateLimits.count, 0)))
}

/** Takes a slot, or throws `error` with the seconds until the window ends as its cooldown. */
export async function consumeRateLimit(
  db: Db | Tx,
  key: string,
  limit: Limit,
  error: ErrorDefinition = appErrors.tooManyRequests,
): Promise<void> {
  const { isConsumed, cooldown } = await tryConsumeRateLimit(db, key, limit)
  if (!isConsumed) throw new AppError(error, { cooldown })
}

/** A limit and the key that it counts. */
export interface KeyedLimit extends Limit {
  key: string
}

/** Takes a slot of each limit. If one is exceeded, releases those already taken and throws. */
export async function consumeRateLimits(
  db: Db | Tx,
  keyedLimits: readonly KeyedLimit[],
  error?: ErrorDefinition,
): Promise<void> {
  const taken: string[] = []
  try {
    for (const { key, ...limit } of keyedLimits) {
      await consumeRateLimit(db, key, limit, error)
      taken.push(key)
    }
  } catch (cause) {
    for (const key of taken) await releaseSlot(db, key)
    throw cause
  }
}

/** A limit on wrong attempts, and the error above it. */
export interface AttemptLimit extends KeyedLimit {
  error: ErrorDefinition
}

/**
 * TTL of in-flight attempts in seconds, longer than the waits for all limits and the hash. Each new lease extends it for the whole key:
 * slots of a crashed process stay taken while attempts keep coming, because freeing slots in use would admit more wrong ones than `max`.
 */
const LEASE_SECONDS = 30

const leaseStatement = prepared(
  'rate-limits.hold',
  rawQuery(sql`
    insert into rate_limits as slot (key, count, resets_at, under_way, under_way_until)
    values (${keyParam}, 0, now() + make_interval(secs => ${secondsParam}), 1, now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (key) do update set
      count = case when slot.resets_at > now() then slot.count else 0 end,
      resets_at = case when slot.resets_at > now() then slot.resets_at else excluded.resets_at end,
      under_way = case when slot.under_way_until > now() then slot.under_way else 0 end + 1,
      under_way_until = excluded.under_way_until
    where case when slot.resets_at > now() then slot.count else 0 end
      + case when slot.under_way_until > now() then slot.under_way else 0 end < ${maxParam}
    returning key`),
)
/** Leases a slot for an in-flight attempt. Returns false when none is free. */
const leaseSlot = async (db: Db, limit: AttemptLimit): Promise<boolean> =>
  (await leaseStatement(db, { ...limit })).length > 0

const endLeasesStatement = prepared(
  'rate-limits.release',
  rawQuery(sql`
    update rate_limits set under_way = greatest(0, under_way - 1), count = count + ${sql.placeholder('wrong')}
    from (select key from rate_limits where key = any(${keysParam}::text[]) order by key collate "C" for update) as locked
    where rate_limits.key = locked.key`),
)
/** Ends the leases; `wrong` 1 counts the attempt. Rows are locked in key order to avoid deadlocks. */
async function endLeases(db: Db, limits: readonly AttemptLimit[], wrong: 0 | 1): Promise<void> {
  const keys = limits.map(({ key }) => key)
  if (keys.length > 0) await endLeasesStatement(db, { keys, wrong })
}

/** Whether completed wrong attempts alone reach the limit. */
async function isLockedOut(db: Db, { key, max }: AttemptLimit): Promise<boolean> {
  const [row] = await db
    .select({ count: rateLimits.count })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), gt(rateLimits.resetsAt, sql`now()`)))
  return (row?.count ?? 0) >= max
}

/** The cooldown in seconds of an attempt that found no free slot: attempts under way mostly end within it. */
const BUSY_COOLDOWN_SECONDS = 10
/** Milliseconds that an attempt waits for the slots of other in-flight attempts. */
const MAX_WAIT_MS = 4000
/** Backoff between two attempts in milliseconds. */
const BACKOFF_MS = { initial: 60, max: 400 }

async function leaseSlotOrThrow(db: Db, limit: AttemptLimit): Promise<void> {
  const waitEndsAt = Date.now() + MAX_WAIT_MS
  for (let delay = BACKOFF_MS.initial; !(await leaseSlot(db, limit)); delay = Math.min(delay * 1.5, BACKOFF_MS.max)) {
    if (await isLockedOut(db, limit)) throw new AppError(limit.error, { cooldown: await secondsLeft(db, limit.key) })
    // Not a lockout: too many attempts are in flight.
    if (Date.now() > waitEndsAt) throw new AppError(appErrors.tooManyRequests, { cooldown: BUSY_COOLDOWN_SECONDS })
    await sleep(delay * (0.5 + Math.random() / 2))
  }
}

/**
 * Runs an attempt within limits on wrong attempts: those that return false or null. The attempt leases a slot of every limit and frees
 * it when it succeeds, throws or its process crashes. It waits for slots leased by other in-flight attempts, in any process, so many
 * correct ones at once all pass while wrong ones never exceed a limit. Throws `error` when locked out, else 429.
 */
export async function limitWrongAttempts<T>(
  db: Db,
  limits: readonly AttemptLimit[],
  attempt: () => Promise<T>,
): Promise<T> {
  const leased: AttemptLimit[] = []
  let wrong: 0 | 1 = 0
  try {
    for (const limit of limits) {
      await leaseSlotOrThrow(db, limit)
      leased.push(limit)
    }
    const outcome = await attempt()
    if (!outcome) wrong = 1
    return outcome
  } finally {
    await endLeases(db, leased, wrong)
  }
}
