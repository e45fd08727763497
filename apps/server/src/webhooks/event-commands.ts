import type { WebhookEventName } from '@community/contract'
import { isoText, placeholders, prepared, rawQuery, type Reader, type Tx, wallClock } from '@community/db'
import { challenges, jobs, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, asc, eq, exists, gt, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { EVENT_JOB, WEBHOOK_JOB } from './job-kinds.ts'

const param = placeholders(['name', 'teamId', 'at', 'ids', 'data', 'userId', 'key'])

/** The condition of the webhooks that listen to an event. */
const listeningCondition = and(
  eq(webhooks.isActive, true),
  sql`${param.name} = any(${webhooks.events})`,
  sql`${webhooks.createdAt} <= coalesce(${param.at}::timestamptz, now())`,
)

/** Writes a message and its job for each webhook that the query selects. */
const insertFor = (query: SQL) =>
  rawQuery(sql`
    with listening as materialized (${query}),
    event as materialized (select coalesce(${param.at}::timestamptz, ${wallClock}) as occurred_at),
    added as (
      insert into ${webhookDeliveries} (webhook_id, event, body, user_id, key)
      select id, ${param.name}::text,
        json_build_object(
          'type', ${param.name}::text,
          'timestamp', ${isoText(sql.raw('occurred_at'))},
          'data', ${param.data}::text::json)::text,
        ${param.userId}::uuid, ${param.key}::text
      from event, listening
      on conflict do nothing
      returning id)
    insert into ${jobs} (id, kind, payload) select id, '${sql.raw(WEBHOOK_JOB)}', '' from added`)

const ownerConditionFor = (teamId: SQLWrapper) => or(isNull(webhooks.teamId), eq(webhooks.teamId, teamId))
const ownerCondition = ownerConditionFor(sql`${param.teamId}::uuid`)
/**
 * The condition that a webhook may listen to a team's events. Writes read it after their locks, in a statement that they send anyway, and
 * call `emit` only if it is true.
 */
export const listenersCondition = (db: Reader, teamId: SQLWrapper): SQL<boolean> =>
  exists(
    db
      .select({ one: sql`1` })
      .from(webhooks)
      .where(and(eq(webhooks.isActive, sql`true`), ownerConditionFor(teamId))),
  ).mapWith(Boolean)
const ownersInsert = prepared(
  'webhooks.insert-for-owners',
  insertFor(
    // The lock skips a webhook that is being deleted.
    sql`select ${webhooks.id} from ${webhooks} where ${and(listeningCondition, ownerCondition)} for key share`,
  ),
)
const deliveriesInsert = prepared(
  'webhooks.insert-deliveries',
  insertFor(sql`select id from unnest(${param.ids}::uuid[]) as id`),
)

interface EventRow {
  name: WebhookEventName
  data: object
}

/** Adds a delivery and its job for each webhook of the team (if any) and of the community that listens. One statement. */
export async function insertDeliveriesForOwners(
  tx: Tx,
  { name, data, teamId, userId }: EventRow & { teamId: string | null; userId: string | null },
): Promise<void> {
  await ownersInsert(tx, { name, data: JSON.stringify(data), teamId, userId, key: null, at: null })
}

/** Adds a delivery and its job for each of these webhooks that has none with this key. */
export async function insertDeliveries(
  tx: Tx,
  { name, data, ...values }: EventRow & { at: string; key: string; ids: string[] },
): Promise<void> {
  await deliveriesInsert(tx, { name, data: JSON.stringify(data), userId: null, ...values })
}

/** Webhooks per transaction: far below the statement timeout. */
const BATCH = 1000

const listeningNext = prepared('webhooks.listening-next', (db) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(listeningCondition, gt(webhooks.id, sql.placeholder('after'))))
    .orderBy(asc(webhooks.id))
    .limit(BATCH)
    .for('key share'),
)
/** Locks the next thousand webhooks that listen, by id, against their deletion; returns their ids. */
export async function lockNextListening(tx: Tx, event: { name: WebhookEventName; at: string; after: string }) {
  return (await listeningNext(tx, event)).map(({ id }) => id)
}

/** Locks the active challenges whose deadline passed within the last day, so that it cannot change; none if no webhook listens. */
export function lockJustClosedChallenges(tx: Tx) {
  const listeners = tx
    .select({ one: sql`1` })
    .from(webhooks)
    .where(and(eq(webhooks.isActive, true), sql`'challenge.closed' = any(${webhooks.events})`))
  const passedCondition = sql`${challenges.deadline} between now() - interval '1 day' and now()`
  return tx
    .select({ id: challenges.id, title: challenges.title, deadline: challenges.deadline })
    .from(challenges)
    .where(and(eq(challenges.isActive, true), passedCondition, sql`exists ${listeners}`))
    .orderBy(asc(challenges.id))
    .for('share')
}

/** Stores an event’s job as done, so that an event with this key is not emitted. */
export async function insertFinishedEvent(tx: Tx, key: string): Promise<void> {
  await tx
    .insert(jobs)
    .values({ kind: EVENT_JOB, key, payload: '', status: 'done', doneAt: sql`now()` })
    .onConflictDoNothing()
}
