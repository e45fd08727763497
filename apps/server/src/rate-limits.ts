import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, faults } from '@community/contract'
import type { Db, Tx } from '@community/db'
import { rateLimits } from '@community/db/schema'
import { and, eq, gt, sql } from 'drizzle-orm'
import { Refusal } from './errors.ts'

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

/** What an address counts under: one whole network for IPv6, where everybody has millions of addresses. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const middle = plain.includes('::')
    ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
    : []
  return `${[...left, ...middle, ...right].slice(0, 4).join(':')}::/64`
}

/** Takes one of a key's slots in one statement: over all processes, never more than `max` are taken. */
export async function takeSlot(db: Db | Tx, key: string, { max, seconds }: Limit): Promise<Taken> {
  const window = sql`now() + make_interval(secs => ${seconds})`
  const isOver = sql`${rateLimits.resetsAt} <= now()`
  const [row] = await db
    .insert(rateLimits)
    .values({ key, count: 1, resetsAt: window })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateLimits.count} + 1 end`,
        resetsAt: sql`case when ${isOver} then ${window} else ${rateLimits.resetsAt} end`,
      },
      setWhere: sql`${isOver} or ${rateLimits.count} < ${max}`,
    })
    .returning({ key: rateLimits.key })
  if (row) return { isTaken: true, cooldown: 0 }
  const [known] = await db
    .select({ cooldown: sql<number>`greatest(1, ceil(extract(epoch from ${rateLimits.resetsAt} - now())))::int` })
    .from(rateLimits)
    .where(eq(rateLimits.key, key))
  return { isTaken: false, cooldown: known?.cooldown ?? 1 }
}

/** Gives a slot back: what took it turned out to be harmless. */
export async function giveBack(db: Db | Tx, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(and(eq(rateLimits.key, key), gt(rateLimits.count, 0)))
}

/** Takes a slot or refuses with the seconds until there is one. */
export async function takeOrRefuse(
  db: Db | Tx,
  key: string,
  limit: Limit,
  fault: Fault = faults.tooManyRequests,
): Promise<void> {
  const { isTaken, cooldown } = await takeSlot(db, key, limit)
  if (!isTaken) throw new Refusal(fault, { cooldown })
}

const PATIENCE_MS = 2500
const TURN_MS = 60

/**
 * Counts wrong attempts only: a slot is taken before the attempt and given back when it was right. Slots held by attempts
 * still under way are waited for, so that many right ones at once all pass, while wrong ones never exceed the limit.
 */
export async function attempting(
  db: Db,
  key: string,
  limit: Limit,
  fault: Fault,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS
  let taken = await takeSlot(db, key, limit)
  while (!taken.isTaken && Date.now() < end && attemptsUnderWay.has(key)) {
    await sleep(TURN_MS)
    taken = await takeSlot(db, key, limit)
  }
  if (!taken.isTaken) throw new Refusal(fault, { cooldown: taken.cooldown })
  attemptsUnderWay.set(key, (attemptsUnderWay.get(key) ?? 0) + 1)
  let isRight = false
  let hasFailed = true
  try {
    isRight = await attempt()
    hasFailed = false
    return isRight
  } finally {
    // An attempt that could not be made was not a wrong one.
    if (isRight || hasFailed) await giveBack(db, key)
    const left = (attemptsUnderWay.get(key) ?? 1) - 1
    if (left === 0) attemptsUnderWay.delete(key)
    else attemptsUnderWay.set(key, left)
  }
}
/** Attempts of this process whose outcome is not known yet: only for deciding whether waiting can help. */
const attemptsUnderWay = new Map<string, number>()
