import { type Db, rawQuery, prepared, type Tx } from '@community/db'
import { type SQL, sql } from 'drizzle-orm'
import type { KeyedLimit } from './rate-limits.ts'

const slotName = (level: number) => sql.identifier(`slot_${level}`)

/** Takes a slot of the limit at a level if all levels before it had a free slot. */
function takeAt(level: number): SQL {
  const [key, max, seconds] = ['key', 'max', 'seconds'].map((name) => sql.placeholder(`${name}${level}`))
  const fromPreviousLevel = level === 0 ? sql`` : sql`from ${slotName(level - 1)}`
  return sql`${slotName(level)} as (
    insert into rate_limits as slot (key, count, resets_at)
    select ${key}::text, 1, now() + make_interval(secs => ${seconds}::int) ${fromPreviousLevel}
    on conflict (key) do update set
      count = case when slot.resets_at <= now() then 1 else slot.count + 1 end,
      resets_at = case when slot.resets_at <= now() then excluded.resets_at else slot.resets_at end
    where slot.resets_at <= now() or slot.count < ${max}
    returning key)`
}

const takeStatement = (levels: number) => {
  const each = Array.from({ length: levels }, (_, level) => takeAt(level))
  return prepared(
    `nested-limits.take-${levels}`,
    rawQuery<{ key: string }>(sql`with ${sql.join(each, sql`, `)} select key from ${slotName(levels - 1)}`),
  )
}
const STATEMENTS = new Map([2, 3].map((levels) => [levels, takeStatement(levels)]))

/**
 * Takes a slot of each of two or three limits in one statement, narrowest first. Stops at the first exceeded limit and keeps the slots
 * of the narrower ones. Returns whether all had a free slot.
 */
export async function consumeNestedRateLimits(db: Db | Tx, limits: readonly KeyedLimit[]): Promise<boolean> {
  const take = STATEMENTS.get(limits.length)
  if (!take) throw new RangeError(`No statement for ${limits.length} limits`)
  const values = limits.flatMap(({ key, max, seconds }, level) => [
    [`key${level}`, key],
    [`max${level}`, max],
    [`seconds${level}`, seconds],
  ])
  return (await take(db, Object.fromEntries(values))).length > 0
}
