import type { WebhookEventData, WebhookEventName } from '@community/contract'
import { prepared, type Tx } from '@community/db'
import { webhooks } from '@community/db/schema'
import { and, asc, gt, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { deliveriesInsert, listeningCondition } from './emit.ts'

/** The kind of the jobs that write the deliveries of an event to every team's webhooks. */
export const EVENT_JOB = 'webhook-event'
/** Webhooks per transaction: far below the statement timeout. */
const BATCH = 1000
const NO_ID = '00000000-0000-0000-0000-000000000000'

interface EventToAll<N extends WebhookEventName> {
  name: N
  data: WebhookEventData<N>
  at: Date
  /** An event with the same key is emitted once. */
  key?: string
}

/** Adds a job to the transaction of an event's cause: tens of thousands of webhooks may listen. */
export const emitToAll = <N extends WebhookEventName>(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  { key, at, ...event }: EventToAll<N>,
): Promise<void> =>
  enqueue(tx, deps, { kind: EVENT_JOB, payload: { ...event, at: at.toISOString() }, ...(key !== undefined && { key }) })

/** The payload of the job. */
export interface StoredEvent {
  name: WebhookEventName
  data: object
  at: string
}

const listeningNext = prepared('webhooks.listening-next', (db) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(listeningCondition, gt(webhooks.id, sql.placeholder('after'))))
    .orderBy(asc(webhooks.id))
    .limit(BATCH)
    .for('key share'),
)

/** Writes a delivery and its job for the next webhooks that listen. Resolves to the last one's id; undefined at the end. */
export async function emitToNext(
  tx: Tx,
  { name, data, at }: StoredEvent,
  key: string,
  after: string = NO_ID,
): Promise<string | undefined> {
  const ids = (await listeningNext(tx, { name, at, after })).map(({ id }) => id)
  if (ids.length > 0) await deliveriesInsert(tx, { name, data: JSON.stringify(data), userId: null, at, key, ids })
  return ids.at(-1)
}
