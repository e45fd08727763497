import { type WebhookEventData, type WebhookEventName } from '@community/contract'
import { placeholders, prepared, rawQuery, type Tx } from '@community/db'
import { webhookDeliveries, webhooks, jobs } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'

interface WebhookEvent<N extends WebhookEventName> {
  name: N
  data: WebhookEventData<N>
  /** The team it concerns: other teams’ webhooks do not receive it. */
  teamId?: string
  /** The account in `data`. */
  userId?: string | null
  /** When it happened, and a key by which it is sent once; for events found by their time. */
  occurred?: { at: Date; key: string }
}

/** The kind of the jobs that send deliveries. */
export const WEBHOOK_JOB = 'webhook'

const param = placeholders(['name', 'teamId', 'at', 'ids', 'data', 'userId', 'key'])
const occurredAt = sql`coalesce(${param.at}::timestamptz, now())`

const listeningWebhooks = prepared('webhooks.listening', (db) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(
        eq(webhooks.isActive, true),
        sql`${param.name} = any(${webhooks.events})`,
        sql`${webhooks.createdAt} <= ${occurredAt}`,
        // Also true without a team: for a webhook of the administrators, and for an event that concerns all teams.
        sql`coalesce(${webhooks.teamId} = ${param.teamId}::uuid, true)`,
      ),
    )
    // Skips a webhook that is being deleted.
    .for('key share'),
)

const deliveriesInsert = prepared(
  'webhooks.insert-deliveries',
  rawQuery(sql`
    with added as (
      insert into ${webhookDeliveries} (webhook_id, event, body, user_id, key)
      select id, ${param.name}::text,
        json_build_object(
          'type', ${param.name}::text,
          'timestamp', to_char(${occurredAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'data', ${param.data}::text::json)::text,
        ${param.userId}::uuid, ${param.key}::text
      from unnest(${param.ids}::uuid[]) as id
      on conflict do nothing
      returning id)
    insert into ${jobs} (id, kind, payload) select id, '${sql.raw(WEBHOOK_JOB)}', '' from added`),
)

/** Adds a message for each webhook that listens to the event, to the transaction of its cause. */
export async function emit<N extends WebhookEventName>(
  tx: Tx,
  { name, data, teamId, userId, occurred }: WebhookEvent<N>,
): Promise<void> {
  const at = occurred?.at.toISOString() ?? null
  // Most events have no listener: this statement is pipelined with the others of the transaction, and usually the only one.
  const listening = await listeningWebhooks(tx, { name, at, teamId: teamId ?? null })
  if (listening.length === 0) return
  const message = { data: JSON.stringify(data), userId: userId ?? null, key: occurred?.key ?? null }
  await deliveriesInsert(tx, { ...message, name, at, ids: listening.map(({ id }) => id) })
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
