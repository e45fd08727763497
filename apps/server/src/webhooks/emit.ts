import { type WebhookEventData, type WebhookEventName } from '@community/contract'
import { prepared, rawQuery, type Tx } from '@community/db'
import { webhookDeliveries, webhooks, jobs } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'

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

const value = (name: string, type: string) => sql`${sql.placeholder(name)}::text::${sql.raw(type)}`
const occurredAt = sql`coalesce(${value('at', 'timestamptz')}, now())`
/** The kind of the jobs that send deliveries. */
export const WEBHOOK_JOB = 'webhook'

// One statement, which can be pipelined with the others of the transaction. The lock makes it skip a webhook that is being deleted.
const insertDeliveries = (name: string, isConcerned: SQL) =>
  prepared(
    name,
    rawQuery(sql`
      with listening as (
        select id from ${webhooks}
        where is_active and ${value('name', 'text')} = any(events) and created_at <= ${occurredAt} and ${isConcerned}
        for key share),
      added as (
        insert into ${webhookDeliveries} (webhook_id, event, body, user_id, key)
        select id, ${value('name', 'text')},
          json_build_object(
            'type', ${value('name', 'text')},
            'timestamp', to_char(${occurredAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'data', ${value('data', 'json')})::text,
          ${value('userId', 'uuid')}, ${value('key', 'text')}
        from listening
        on conflict do nothing
        returning id)
      insert into ${jobs} (id, kind, payload) select id, '${sql.raw(WEBHOOK_JOB)}', '' from added`),
  )
const insertForAll = insertDeliveries('webhooks.emit', sql`true`)
const insertForTeam = insertDeliveries(
  'webhooks.emit-team',
  sql`(team_id is null or team_id = ${value('teamId', 'uuid')})`,
)

/** Adds a message for each webhook that listens to the event, to the transaction of its cause. */
export async function emit<N extends WebhookEventName>(
  tx: Tx,
  { name, data, teamId, userId, occurred }: WebhookEvent<N>,
): Promise<void> {
  const values = {
    name,
    data: JSON.stringify(data),
    userId: userId ?? null,
    at: occurred?.at.toISOString() ?? null,
    key: occurred?.key ?? null,
  }
  await (teamId === undefined ? insertForAll(tx, values) : insertForTeam(tx, { ...values, teamId }))
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
