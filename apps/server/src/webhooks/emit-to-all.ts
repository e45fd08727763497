import type { WebhookEventData, WebhookEventName } from '@community/contract'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { NIL_UUID } from '../database/nil-uuid.ts'
import { enqueue } from '../jobs/queue.ts'
import { insertDeliveries, lockNextListening } from './event-commands.ts'
import { EVENT_JOB } from './job-kinds.ts'

interface EventToAll<N extends WebhookEventName> {
  name: N
  data: WebhookEventData<N>
  at: Date
  /** An event with the same key is emitted once. */
  key?: string
}

/** Enqueues a job that writes the deliveries, because tens of thousands of webhooks may listen. */
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

/** Writes a delivery and its job for the next batch of webhooks that listen. Returns the last one's id; undefined at the end. */
export async function emitToNext(
  tx: Tx,
  { name, data, at }: StoredEvent,
  key: string,
  after: string = NIL_UUID,
): Promise<string | undefined> {
  const ids = await lockNextListening(tx, { name, at, after })
  if (ids.length > 0) await insertDeliveries(tx, { name, data, at, key, ids })
  return ids.at(-1)
}
