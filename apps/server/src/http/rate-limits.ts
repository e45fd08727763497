import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorDefinition, appErrors } from '@community/contract'
import { type Db, rawQuery, prepared, type Tx } from '@community/db'
import { rateLimits } from '@community/db/schema'
import { and, eq, gt, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'

/** At most `max` in a window of so many seconds; the window begins with the first. */
export interface Limit {
  max: number
  seconds: number
}

export interface Taken {
  /** Was there a slot left? */
  isTaken: boolean
  /** Seconds until the window ends. */
  cooldown: number
}

const [keyGiven, keysGiven, max, seconds] = ['key', 'keys', 'max', 'seconds'].map((name) => sql.placeholder(name))

const slotTaken = prepared('rate-limits.take', (db) => {
  const window = sql`now() + make_interval(secs => ${seconds})`
  const isOver = sql`${rateLimits.resetsAt} <= now()`
  return db
    .insert(rateLimits)
    .values({ key: sql`${keyGiven}`, count: 1, resetsAt: window })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateLimits.count} + 1 end`,
        resetsAt: sql`case when ${isOver} then ${window} else ${rateLimits.resetsAt} end`,
      },
      setWhere: sql`${isOver} or ${rateLimits.count} < ${max}`,
    })
    .returning({ key: rateLimits.key })
})
/** Takes one of a key's slots in one statement: over all processes, never more than `max` are taken. */
export async function takeSlot(db: Db | Tx, key: string, limit: Limit): Promise<Taken> {
  const [row] = await slotTaken(db, { ...limit, key })
  if (row) return { isTaken: true, cooldown: 0 }
  return { isTaken: false, cooldown: await secondsLeft(db, key) }
}

/** Seconds until a key's window ends. */
async function secondsLeft(db: Db | Tx, key: string): Promise<number> {
  const [known] = await db
    .select({ cooldown: sql<number>`greatest(1, ceil(extract(epoch from ${rateLimits.resetsAt} - now())))::int` })
    .from(rateLimits)
    .where(eq(rateLimits.key, key))
  return known?.cooldown ?? 1
}

/** Is this the first time that it is asked within the key's present window? Over all processes, one caller is told so. */
export async function isFirstOfWindow(tx: Tx, key: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    insert into rate_limits as told (key, count, resets_at)
    select ${`${key}:told`}, 1, resets_at from rate_limits where key = ${key} and resets_at > now()
    on conflict (key) do update set resets_at = excluded.resets_at where told.resets_at < excluded.resets_at
    returning key`)
  return rows.length > 0
}

/** Gives a slot back: what took it turned out to be harmless. */
export async function releaseSlot(db: Db | Tx, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(and(eq(rateLimits.key, key), gt(rateLimits.count, 0)))
}

/** Takes a slot or refuses with the seconds until there is one. */
export async function takeSlotOrThrow(
  db: Db | Tx,
  key: string,
  limit: Limit,
  error: ErrorDefinition = appErrors.tooManyRequests,
): Promise<void> {
  const { isTaken, cooldown } = await takeSlot(db, key, limit)
  if (!isTaken) throw new AppError(error, { cooldown })
}

/** A limit and the key it counts under. */
export interface KeyedLimit extends Limit {
  key: string
}

/** Takes a slot of each or refuses; a refused one gives back those taken before it. */
export async function takeSlotsOrThrow(
  db: Db | Tx,
  each: readonly KeyedLimit[],
  fault?: ErrorDefinition,
): Promise<void> {
  const taken: string[] = []
  try {
    for (const { key, ...limit } of each) {
      await takeSlotOrThrow(db, key, limit, fault)
      taken.push(key)
    }
  } catch (error) {
    for (const key of taken) await releaseSlot(db, key)
    throw error
  }
}

/** A limit on wrong attempts under one key, and what is answered beyond it. */
export interface AttemptLimit extends KeyedLimit {
  fault: ErrorDefinition
}

/** Seconds after which an attempt under way is taken for crashed, and its slot is free again. */
const UNDER_WAY_LIFE = 10

const held = prepared(
  'rate-limits.hold',
  rawQuery(sql`
    insert into rate_limits as slot (key, count, resets_at, under_way, under_way_until)
    values (${keyGiven}, 0, now() + make_interval(secs => ${seconds}), 1, now() + make_interval(secs => ${UNDER_WAY_LIFE}))
    on conflict (key) do update set
      count = case when slot.resets_at > now() then slot.count else 0 end,
      resets_at = case when slot.resets_at > now() then slot.resets_at else excluded.resets_at end,
      under_way = case when slot.under_way_until > now() then slot.under_way else 0 end + 1,
      under_way_until = excluded.under_way_until
    where case when slot.resets_at > now() then slot.count else 0 end
      + case when slot.under_way_until > now() then slot.under_way else 0 end < ${max}
    returning key`),
)
/** Takes a slot for an attempt that is under way. */
const hold = async (db: Db, guard: AttemptLimit): Promise<boolean> => (await held(db, { ...guard })).length > 0

const released = prepared(
  'rate-limits.release',
  rawQuery(sql`
    update rate_limits set under_way = greatest(0, under_way - 1), count = count + ${sql.placeholder('wrong')}
    from (select key from rate_limits where key = any(${keysGiven}::text[]) order by key collate "C" for update) as locked
    where rate_limits.key = locked.key`),
)
/** Frees the slots, or has them counted where the attempt was wrong. Rows are locked in one order: no deadlocks. */
async function release(db: Db, guards: readonly AttemptLimit[], wrong: 0 | 1): Promise<void> {
  const keys = guards.map(({ key }) => key)
  if (keys.length > 0) await released(db, { keys, wrong })
}

/** Do wrong attempts alone take every slot? */
async function isFullOfWrong(db: Db, { key, max }: AttemptLimit): Promise<boolean> {
  const [row] = await db
    .select({ count: rateLimits.count })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), gt(rateLimits.resetsAt, sql`now()`)))
  return (row?.count ?? 0) >= max
}

/** Milliseconds an attempt waits for slots that others, still under way, may give back. */
const PATIENCE_MS = 4000
/** Milliseconds between two looks, the first and the longest: who waits long looks less often. */
const TURN_MS = { first: 60, longest: 400 }

async function holdOrRefuse(db: Db, guard: AttemptLimit): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  for (let turn = TURN_MS.first; !(await hold(db, guard)); turn = Math.min(turn * 1.5, TURN_MS.longest)) {
    if (await isFullOfWrong(db, guard)) throw new AppError(guard.fault, { cooldown: await secondsLeft(db, guard.key) })
    // Nobody is told of wrong attempts that there were not: too many are under way at once.
    if (Date.now() > end) throw new AppError(appErrors.tooManyRequests, { cooldown: UNDER_WAY_LIFE })
    await sleep(turn * (0.5 + Math.random() / 2))
  }
}

/**
 * Counts wrong attempts only; one is wrong when its outcome is false or null. A slot of every guard is held during the
 * attempt and free again when it was right, could not be made, or died with its process. Slots held by attempts under way, in
 * whatever process, are waited for: many right ones at once all pass, while wrong ones never exceed a limit.
 */
export async function limitWrongAttempts<T>(
  db: Db,
  guards: readonly AttemptLimit[],
  attempt: () => Promise<T>,
): Promise<T> {
  const held: AttemptLimit[] = []
  let wrong: 0 | 1 = 0
  try {
    for (const guard of guards) {
      await holdOrRefuse(db, guard)
      held.push(guard)
    }
    const outcome = await attempt()
    if (!outcome) wrong = 1
    return outcome
  } finally {
    await release(db, held, wrong)
  }
}
