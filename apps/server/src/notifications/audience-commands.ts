import { placeholders, prepared, rawQuery, type Reader, type Tx } from '@community/db'
import { challengeReminders, challenges, submissions, teamMembers, teams, users } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'
import { NIL_UUID } from '../database/nil-uuid.ts'
import { insertFor, insertJobs, type NewNotification, valuesOf } from './commands.ts'

/** A group of many people: a condition that the database evaluates for each batch. */
export type Audience =
  | { name: 'everyone' | 'chefs' }
  /** Members of the teams that applied to a challenge; `involved` adds those that asked to be reminded. */
  | { name: 'applicants' | 'involved'; challengeId: string }
  /** Members of active teams that asked for reminders by the time `askedBy` and have not applied; nobody once the deadline has passed or differs from `deadline`. */
  | { name: 'reminded'; challengeId: string; askedBy: string; deadline: string }

/** People per statement: about 25 ms of PostgreSQL, so that other transactions hardly wait for it. */
const BATCH = 500

const param = placeholders(['after', 'batch', 'audienceChallengeId', 'askedBy', 'deadline'])
const challengeId = sql`${param.audienceChallengeId}::uuid`
const appliedTeamIds = sql`select team_id from ${submissions} where challenge_id = ${challengeId}`
const reminderTeamIds = sql`select team_id from ${challengeReminders} where challenge_id = ${challengeId}`
const membersOf = (teamIds: SQL) => sql`select user_id from ${teamMembers} where team_id in (${teamIds})`
const remindedCondition = sql`created_at <= ${param.askedBy}::timestamptz and team_id not in (${appliedTeamIds})
  and team_id in (select id from ${teams} where is_active)
  and exists (select from ${challenges} where id = ${challengeId} and is_active and deadline > now()
    and deadline = ${param.deadline}::timestamptz)`

const SELECTIONS: Record<Audience['name'], SQL> = {
  everyone: sql`select id as user_id from ${users} where not is_banned`,
  chefs: sql`select owner_id as user_id from ${teams} where is_active and owner_id is not null`,
  applicants: membersOf(appliedTeamIds),
  involved: membersOf(sql`${appliedTeamIds} union ${reminderTeamIds}`),
  reminded: membersOf(sql`${reminderTeamIds} and ${remindedCondition}`),
}

const forEachAudience = <T>(build: (name: Audience['name'], selection: SQL) => T) =>
  Object.fromEntries(
    Object.entries(SELECTIONS).map(([name, selection]) => [name, build(name as Audience['name'], selection)]),
  ) as Record<Audience['name'], T>

const inserts = forEachAudience((name, selection) =>
  prepared(
    `notifications.insert-for-${name}`,
    rawQuery<{ last: string | null; added: number }>(sql`
      with batch as materialized (
        select distinct user_id from (${selection}) as audience where user_id > ${param.after}::uuid order by user_id limit ${param.batch}::int),
      added as (${insertFor(sql`batch`)} on conflict do nothing returning id, user_id, mail, push),
      queued as (${insertJobs})
      select (select user_id from batch order by user_id desc limit 1) as last, (select count(*)::int from added) as added`),
  ),
)
const totals = forEachAudience((name, selection) =>
  prepared(
    `notifications.count-${name}`,
    rawQuery<{ total: number }>(sql`
      select count(distinct user_id)::int as total from (${selection}) as audience
      where user_id is distinct from ${sql.placeholder('actorId')}::uuid`),
  ),
)

const audienceValues = ({ name: _name, ...audience }: Audience) => {
  const { challengeId: audienceChallengeId = null, ...rest }: Record<string, string | null> = audience
  return { askedBy: null, deadline: null, ...rest, audienceChallengeId }
}

/** Notifies the next people of an audience. Resolves to the id to go on after (undefined at the end) and how many were notified. */
export async function notifyNextBatch(
  tx: Tx,
  audience: Audience,
  about: NewNotification,
  { after = NIL_UUID, batch = BATCH }: { after?: string | undefined; batch?: number } = {},
) {
  const values = { ...valuesOf(about), ...audienceValues(audience), after, batch }
  const [row] = await inserts[audience.name](tx, values)
  return { last: row?.last ?? undefined, added: row?.added ?? 0 }
}

/** The current number of people in an audience, without the actor. */
export async function countAudience(db: Reader, audience: Audience, actorId: string): Promise<number> {
  const [row] = await totals[audience.name](db, { ...audienceValues(audience), actorId })
  return row?.total ?? 0
}
