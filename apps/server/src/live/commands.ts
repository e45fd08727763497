import type { Db } from '@community/db'
import { sql } from 'drizzle-orm'

/** Sends a payload to all listeners of a channel. */
export async function sendNotice(db: Db, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`)
}
