import { placeholders, prepared, rawQuery, type Reader, type Tx } from '@community/db'
import { jobs, notifications, notificationSettings as settings, users } from '@community/db/schema'
import { gt, type SQL, sql } from 'drizzle-orm'
import { NIL_UUID } from '../database/nil-uuid.ts'
import type { DigestHours } from './digest-time.ts'
import { knownKindCondition } from './queries.ts'

/** The kind of the jobs that mail one digest; its id is their key. */
export const DIGEST_JOB = 'notification-digest'
/** People whose digests are added by one statement, each with any number of notifications: far below the statement timeout. */
const DIGEST_BATCH = 100
/** Notifications older than these days are in no digest: after a long outage of the server they would only surprise. */
const DAYS_MAX = 14

const chosenHours = sql`${settings.timeZone}, ${settings.digestHour}, ${settings.digestWeekday}`
// A loose index scan: goes from one choice to the next, however many people share it.
const selectChosenHours = prepared(
  'notifications.digest-hours',
  rawQuery<{ now: string; time_zone: string | null; digest_hour: number; digest_weekday: number }>(sql`
    with recursive chosen as (
      (select time_zone, digest_hour, digest_weekday from ${settings} order by ${chosenHours} limit 1)
      union all
      select next.* from chosen cross join lateral (
        select time_zone, digest_hour, digest_weekday from ${settings}
        where (${chosenHours}) > (chosen.time_zone, chosen.digest_hour, chosen.digest_weekday)
        order by ${chosenHours} limit 1) as next
    )
    select now()::text as now, chosen.* from (select) as one left join chosen on true`),
)

const selectChangedHours = prepared('notifications.changed-digest-hours', (db) =>
  db
    .selectDistinct({
      timeZone: settings.timeZone,
      digestHour: settings.digestHour,
      digestWeekday: settings.digestWeekday,
    })
    .from(settings)
    .where(gt(settings.updatedAt, sql.placeholder('since'))),
)

/** The different hours that people have chosen for their digests, and the database’s clock. */
export async function findDigestHours(db: Reader): Promise<{ chosen: DigestHours[]; now: Date }> {
  const rows = await selectChosenHours(db, {})
  const chosen = rows.flatMap(({ time_zone: timeZone, digest_hour: digestHour, digest_weekday: digestWeekday }) =>
    timeZone === null ? [] : [{ timeZone, digestHour, digestWeekday }],
  )
  return { chosen, now: new Date(rows[0]?.now ?? Date.now()) }
}

/** The hours of people who have changed their settings since then. */
export const findChangedDigestHours = (db: Reader, since: Date): Promise<DigestHours[]> =>
  selectChangedHours(db, { since: since.toISOString() })

const param = placeholders(['daily', 'weekly', 'after', 'limit', 'timeZone', 'digestHour', 'digestWeekday'])
const dueCondition = sql`${notifications.mail} in ('daily', 'weekly') and ${notifications.digestId} is null
  and ${knownKindCondition} and ${notifications.createdAt} > now() - make_interval(days => ${sql.raw(String(DAYS_MAX))})
  and ${notifications.createdAt} < case ${notifications.mail} when 'daily' then ${param.daily}::text::timestamptz
    else ${param.weekly}::text::timestamptz end`

/** Selects the next people, by id, with due notifications: those who chose the given hours, or those who chose none. */
const PEOPLE = {
  chosen: sql`
    select ${settings.userId} as user_id from ${settings}
    where ${settings.timeZone} = ${param.timeZone}::text and ${settings.digestHour} = ${param.digestHour}::int
      and ${settings.digestWeekday} = ${param.digestWeekday}::int and ${settings.userId} > ${param.after}::uuid
      and exists (select from ${notifications} where ${notifications.userId} = ${settings.userId} and ${dueCondition})
    order by ${settings.userId} limit ${param.limit}::int`,
  default: sql`
    select distinct ${notifications.userId} as user_id from ${notifications}
    where ${dueCondition} and ${notifications.userId} > ${param.after}::uuid
      and not exists (select from ${settings} where ${settings.userId} = ${notifications.userId})
    order by ${notifications.userId} limit ${param.limit}::int`,
}

export interface DigestBatch {
  /** The id to go on after; null at the end. */
  last: string | null
  /** People whose account another run or a change has locked. */
  skipped: number
}

/** Adds one digest per person and stores its id in their due notifications. Concurrent runs skip each other’s people. */
const prepareInsert = (name: string, people: SQL) =>
  prepared(
    `notifications.insert-digests-${name}`,
    rawQuery<DigestBatch>(sql`
      with found as materialized (${people}),
      locked as materialized (
        select ${users.id} as user_id, gen_random_uuid() as digest_id from ${users}
        where ${users.id} in (select user_id from found) for no key update skip locked),
      marked as (
        update ${notifications} set digest_id = locked.digest_id from locked
        where ${notifications.userId} = locked.user_id and ${dueCondition}
        returning locked.digest_id),
      added as (
        insert into ${jobs} (kind, key, payload)
        select distinct ${sql.raw(`'${DIGEST_JOB}'`)}, digest_id::text, '' from marked)
      select (select user_id from found order by user_id desc limit 1) as last,
        (select count(*) from found)::int - (select count(*) from locked)::int as skipped`),
  )
const inserts = { chosen: prepareInsert('chosen', PEOPLE.chosen), default: prepareInsert('default', PEOPLE.default) }

export interface DueDigests {
  /** Undefined for people who have chosen none. */
  hours: DigestHours | undefined
  /** Daily and weekly notifications from before these times are due, and go into one mail. */
  before: { daily: Date; weekly: Date }
}

/** Adds the digests of the next people with these hours. */
export async function insertDigests(
  tx: Tx,
  { hours, before: { daily, weekly } }: DueDigests,
  after: string | null = null,
): Promise<DigestBatch> {
  const [batch] = await inserts[hours ? 'chosen' : 'default'](tx, {
    ...hours,
    daily: daily.toISOString(),
    weekly: weekly.toISOString(),
    after: after ?? NIL_UUID,
    limit: DIGEST_BATCH,
  })
  return batch ?? { last: null, skipped: 0 }
}
