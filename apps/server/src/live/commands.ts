import { type Db, prepared, rawQuery } from '@community/db'
import { sql } from 'drizzle-orm'

const notice = prepared(
  'live.notify',
  rawQuery(sql`select pg_notify(${sql.placeholder('channel')}, ${sql.placeholder('payload')})`),
)
/** Sends a payload to all listeners of a channel. */
export async function sendNotice(db: Db, channel: string, payload: string): Promise<void> {
  await notice(db, { channel, payload })
}
