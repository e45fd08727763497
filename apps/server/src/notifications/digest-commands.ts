import { placeholders, prepared, rawQuery, type Reader, type Tx } from '@community/db'
import { jobs, notifications, notificationSettings, users } from '@community/db/schema'
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@community/contract'
import { sql } from 'drizzle-orm'
import type { DigestTimes } from './digest-time.ts'

/** The kind of the jobs that mail one digest; its id is their key. */
export const DIGEST_JOB = 'notification-digest'
/** People whose digests are added by one statement. */
const DIGEST_BATCH = 1000
/** Days after which a notification is in no digest: those of a server that was down for long would only surprise. */
const DAYS_MAX = 14

const waiting = sql`${notifications.mail} in ('daily', 'weekly') and ${notifications.digestId} is null
  and ${notifications.createdAt} > now() - make_interval(days => ${sql.raw(String(DAYS_MAX))})`
const wanted = {
  hour: sql`coalesce(${notificationSettings.digestHour}, ${sql.raw(String(DEFAULTS.digestHour))})`,
  weekday: sql`coalesce(${notificationSettings.digestWeekday}, ${sql.raw(String(DEFAULTS.digestWeekday))})`,
  timeZone: sql`coalesce(${notificationSettings.timeZone}, ${sql.raw(`'${DEFAULTS.timeZone}'`)})`,
}

const timesWaiting = prepared('notifications.digest-times', (db) =>
  db
    .selectDistinct({
      frequency: sql<DigestTimes['frequency']>`${notifications.mail}`.as('frequency'),
      digestHour: sql<number>`${wanted.hour}`.as('digest_hour'),
      digestWeekday: sql<number>`${wanted.weekday}`.as('digest_weekday'),
      timeZone: sql<string>`${wanted.timeZone}`.as('digest_time_zone'),
      now: sql<string>`now()::text`.as('digest_now'),
    })
    .from(notifications)
    .leftJoin(notificationSettings, sql`${notificationSettings.userId} = ${notifications.userId}`)
    .where(waiting),
)

/** The different times at which people want the digests that they wait for, and the database’s clock. */
export async function findDigestTimes(db: Reader): Promise<{ times: DigestTimes; now: Date }[]> {
  const rows = await timesWaiting(db, {})
  return rows.map(({ now, ...times }) => ({ times, now: new Date(now) }))
}

const param = placeholders(['frequency', 'digestHour', 'digestWeekday', 'timeZone', 'before', 'limit'])

/** One digest per person: their notifications from before the time take its id. Concurrent runs skip each other's people. */
const insertDigestsOnce = prepared(
  'notifications.insert-digests',
  rawQuery(sql`
  with people as (
    select ${users.id} as user_id, gen_random_uuid() as digest_id from ${users}
    where ${users.id} in (
      select distinct ${notifications.userId} from ${notifications}
      left join ${notificationSettings} on ${notificationSettings.userId} = ${notifications.userId}
      where ${waiting} and ${notifications.mail} = ${param.frequency}::text
        and ${notifications.createdAt} < ${param.before}::text::timestamptz
        and ${wanted.hour} = ${param.digestHour}::int and ${wanted.weekday} = ${param.digestWeekday}::int
        and ${wanted.timeZone} = ${param.timeZone}::text
      limit ${param.limit}::int
    )
    for no key update skip locked
  ), marked as (
    update ${notifications} set digest_id = people.digest_id from people
    where ${notifications.userId} = people.user_id and ${waiting} and ${notifications.mail} = ${param.frequency}::text
      and ${notifications.createdAt} < ${param.before}::text::timestamptz
    returning people.digest_id
  )
  insert into ${jobs} (kind, key, payload)
  select distinct ${sql.raw(`'${DIGEST_JOB}'`)}, digest_id::text, '' from marked
  returning key`),
)

/** Adds the digests of some people with these times; resolves with their number, which is 0 once nobody waits. */
export async function insertDigests(tx: Tx, { before, ...times }: DigestTimes & { before: Date }): Promise<number> {
  const added = await insertDigestsOnce(tx, { ...times, before: before.toISOString(), limit: DIGEST_BATCH })
  return added.length
}
