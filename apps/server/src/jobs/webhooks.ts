import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { emitDeadline } from '../webhooks/emit-challenge.ts'
import { emitToNext, type StoredEvent } from '../webhooks/emit-to-all.ts'
import { lockJustClosedChallenges } from '../webhooks/event-commands.ts'
import { failPendingDelivery } from '../webhooks/delivery-commands.ts'
import { findDelivery } from '../webhooks/queries.ts'
import { type Outcome, recordFailure, recordSuccess } from '../webhooks/record-outcome.ts'
import { ResolverUnavailableError } from '../webhooks/public-address.ts'
import { sendMessage } from '../webhooks/send-message.ts'
import { signatureHeaders } from '../webhooks/signing.ts'
import { wakeWorkers } from './queue.ts'
import { JobFailure, type JobHandler } from './worker.ts'

type WebhookDeps = Pick<Deps, 'db' | 'secret' | 'config'>
type FoundDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

/** What a webhook’s owner reads about an error: clearer than its message, and without details of our network. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'the host name is unknown',
  ENODATA: 'the host name is unknown',
  ETIMEOUT: 'the name server did not respond',
  ESERVFAIL: 'the name server did not respond',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  TimeoutError: 'no response within ten seconds',
  PrivateAddressError: 'the address is not public',
}

const reasonOf = (error: Error & { code?: string; cause?: unknown }): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  return REASONS[error.code ?? ''] ?? REASONS[cause.name] ?? REASONS[error.constructor.name] ?? 'the connection failed'
}

/** Sends a message once. Throws `JobFailure` if this server’s own resolver is away, which is no fault of the receiver. */
async function attemptDelivery(
  { secret, config }: WebhookDeps,
  { delivery, webhook }: FoundDelivery,
  stopping: AbortSignal,
) {
  const { previousSecret: previous, previousSecretUntil: until } = webhook
  const secrets = [webhook.secret, ...(previous && until && until > new Date() ? [previous] : [])]
  const message = { id: delivery.id, timestamp: Math.floor(Date.now() / 1000), body: delivery.body }
  try {
    const headers = {
      ...signatureHeaders(
        message,
        secrets.map((sealed) => secret.unseal(sealed)),
      ),
      'user-agent': 'Community-Webhooks/1.0',
    }
    const { isPrivateAllowed } = config.webhooks
    const status = await sendMessage({ url: webhook.url, headers, body: delivery.body }, { isPrivateAllowed, stopping })
    return { status, error: status >= 200 && status < 300 ? null : `the receiver responded with ${status}` }
  } catch (error) {
    if (error instanceof ResolverUnavailableError) throw new JobFailure(error.message, 'unavailable')
    return { status: null, error: reasonOf(error as Error) } satisfies Outcome
  }
}

/** Sends the delivery with the job’s id: at least once, always under the same message id. */
export const webhookHandler = (deps: WebhookDeps, stopping: AbortSignal): JobHandler => ({
  // Longer than an attempt.
  lease: 60,
  // Receivers that do not respond must not hold up mails.
  concurrency: 5,
  retryDelays: limits.WEBHOOK_RETRY_DELAYS,
  async run(job) {
    const { id, attempts } = job
    const found = await findDelivery(deps.db, id)
    if (found?.delivery.status !== 'pending') return
    const { delivery, webhook } = found
    const isPing = delivery.event === 'ping'
    const isPaused = !webhook.isActive && !isPing
    const outcome: Outcome = isPaused
      ? { status: null, error: 'the webhook is paused' }
      : await attemptDelivery(deps, found, stopping)
    if (outcome.error === null) return inTransaction(deps.db, (tx) => recordSuccess(tx, webhook.id, job, outcome))
    if (stopping.aborted) throw new JobFailure('the server stopped', 'unavailable')
    const isEvent = !isPing && !isPaused
    const isLast = !isEvent || outcome.status === 410 || attempts > limits.WEBHOOK_RETRY_DELAYS.length
    await inTransaction(deps.db, (tx) => recordFailure(tx, deps, webhook.id, job, { ...outcome, isLast, isEvent }))
    throw new JobFailure(outcome.error, isLast ? 'permanent' : 'temporary')
  },
  // If the process stopped during the last attempt, its outcome was never recorded.
  onDead: (job, _payload, reason) => inTransaction(deps.db, (tx) => failPendingDelivery(tx, job, reason)),
})

/**
 * Writes the deliveries of an event that every team's webhooks may receive, in batches. After a crash it starts again: their key skips those
 * already written.
 */
export const webhookEventHandler = ({ db }: Pick<Deps, 'db'>): JobHandler => ({
  lease: 10 * 60,
  async run(job, payload) {
    let last: string | undefined
    do {
      const after = last
      // Only `emitToAll` adds jobs of this kind.
      last = await inTransaction(db, (tx) => emitToNext(tx, payload as StoredEvent, job.key ?? job.id, after))
      wakeWorkers()
    } while (last !== undefined)
  },
})

/** Finds the challenges whose deadline passed within the last day, and emits `challenge.closed` once for each. */
export const challengeDeadlinesHandler = ({ db, secret }: Pick<Deps, 'db' | 'secret'>): JobHandler => ({
  every: 60,
  lease: 60,
  run: () =>
    inTransaction(db, async (tx) => {
      for (const challenge of await lockJustClosedChallenges(tx)) await emitDeadline(tx, { secret }, challenge)
    }),
})
