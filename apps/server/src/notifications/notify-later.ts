import type { NotificationKindFor } from '@community/contract'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Audience } from './audience-commands.ts'
import type { NewNotification } from './commands.ts'

/** The kind of the jobs that notify an audience. */
export const NOTIFY_JOB = 'notify'

/** The payload of the job. */
export interface LaterNotification {
  audience: Audience
  about: NewNotification
}

/** Adds a job to the transaction of the cause that notifies many people in batches. One with a `jobKey` is added once. */
export function notifyLater<N extends NotificationKindFor<'audience'>>(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  audience: Audience,
  about: NewNotification<N>,
  jobKey?: string,
): Promise<void> {
  const payload: LaterNotification = { audience, about }
  return enqueue(tx, deps, { kind: NOTIFY_JOB, payload, ...(jobKey !== undefined && { key: jobKey }) })
}
