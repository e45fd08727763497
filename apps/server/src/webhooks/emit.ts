import { type WebhookEventData, type WebhookEventName } from '@community/contract'
import { placeholders, prepared, rawQuery, type Tx, wallClock } from '@community/db'
import { webhookDeliveries, webhooks, jobs } from '@community/db/schema'
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'

interface WebhookEvent<N extends WebhookEventName> {
  name: N
  data: WebhookEventData<N>
  /** The team it concerns; without one, only the community’s webhooks receive it. */
  teamId?: string
  /** The account in `data`. */
  userId?: string | null
}

/** The kind of the jobs that send deliveries. */
export const WEBHOOK_JOB = 'webhook'

const param = placeholders(['name', 'teamId', 'at', 'ids', 'data', 'userId', 'key'])

/** The condition of the webhooks that listen to an event. */
export const listeningCondition = and(
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
          'timestamp', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'data', ${param.data}::text::json)::text,
        ${param.userId}::uuid, ${param.key}::text
      from event, listening
      on conflict do nothing
      returning id)
    insert into ${jobs} (id, kind, payload) select id, '${sql.raw(WEBHOOK_JOB)}', '' from added`)

const ownerCondition = or(isNull(webhooks.teamId), sql`${webhooks.teamId} = ${param.teamId}::uuid`)
const ownersInsert = prepared(
  'webhooks.insert-for-owners',
  insertFor(
    // The lock skips a webhook that is being deleted.
    sql`select ${webhooks.id} from ${webhooks} where ${and(listeningCondition, ownerCondition)} for key share`,
  ),
)
export const deliveriesInsert = prepared(
  'webhooks.insert-deliveries',
  insertFor(sql`select id from unnest(${param.ids}::uuid[]) as id`),
)

/**
 * Adds a message for each webhook of the team and of the community that listens, to the transaction of its cause. One statement, so that
 * nothing is left to insert when one beside it fails; call it under the locks of its cause, whose order is that of the timestamps.
 */
export async function emit<N extends WebhookEventName>(
  tx: Tx,
  { name, data, teamId, userId }: WebhookEvent<N>,
): Promise<void> {
  const event = { name, data: JSON.stringify(data), teamId: teamId ?? null, userId: userId ?? null }
  await ownersInsert(tx, { ...event, key: null, at: null })
}

/** Emits an event about an account and a team. */
export const emitMembership = (
  tx: Tx,
  name: 'team.created' | 'team.member.joined',
  { id, name: teamName }: { id: string; name: string },
  userId: string,
): Promise<void> => emit(tx, { name, data: { team: { id, name: teamName }, userId }, teamId: id, userId })

type SubmissionEvent = WebhookEventData<'submission.created'>['submission']

/** Emits an event about a submission, pending unless it has a verdict. */
export const emitSubmission = (
  tx: Tx,
  name: Extract<WebhookEventName, `submission.${string}`>,
  { id, teamId, challengeId }: Pick<SubmissionEvent, 'id' | 'teamId' | 'challengeId'>,
  { status, score, points }: Omit<SubmissionEvent, 'id' | 'teamId' | 'challengeId'> = PENDING,
): Promise<void> => emit(tx, { name, data: { submission: { id, teamId, challengeId, status, score, points } }, teamId })

const PENDING = { status: 'pending', score: null, points: null } as const
