import { sql } from 'drizzle-orm'
import type { Fixture } from './fixture.ts'

/** A pool of one connection that records the statements it sends, and counts those of a call and its round trips. */
export async function openMeteredPool(fixture: Pick<Fixture, 'openDirectPool'>) {
  const { db, sql: driver } = fixture.openDirectPool({ max: 1 })
  const sent: string[] = []
  let [roundTrips, lastTrips] = [0, 0]
  let flush: NodeJS.Immediate | undefined
  // Connects, so that the driver's own first statements are not recorded.
  await db.execute(sql`select 1`)
  Object.assign(driver.options, {
    debug(_connection: number, statement: string) {
      sent.push(statement)
      if (flush) return
      roundTrips++
      // The driver sends together what was queued before the next immediate.
      flush = setImmediate(() => (flush = undefined))
    },
  })
  return {
    db,
    sql: driver,
    /** The statements sent since the last `measure` began, with its own query. */
    sent,
    /** How often the last measured call sent statements; those sent together count once. */
    roundTrips: () => lastTrips,
    /** The number of statements of a call, and those that are not prepared. */
    async measure(call: () => Promise<unknown>) {
      sent.length = 0
      const tripsBefore = roundTrips
      await call()
      const statements = [...sent]
      lastTrips = roundTrips - tripsBefore
      const prepared = await db.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)
      const preparedStatements = new Set(prepared.map(({ statement }) => statement))
      return {
        count: statements.length,
        unprepared: statements.filter((statement) => !preparedStatements.has(statement)),
      }
    },
  }
}
