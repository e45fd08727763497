import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { tryUnseal } from '../auth/secret.ts'
import type { Deps } from '../context.ts'
import { emitDeadline } from '../webhooks/emit-challenge.ts'
import { emitToNext, type StoredEvent } from '../webhooks/emit-to-all.ts'
import { lockJustClosedChallenges } from '../webhooks/event-commands.ts'
import { failPendingDelivery } from '../webhooks/delivery-commands.ts'
import { findDelivery } from '../webhooks/queries.ts'
import { type Outcome, recordFailure, recordSuccess } from '../webhooks/record-outcome.ts'
import { ResolverUnavailableError } from '../webhooks/public-address.ts'
import { sendMessage } from '../webhooks/send-message.ts'
import { formerSecrets, signatureHeaders } from '../webhooks/signing.ts'
import { type Job, RENEWED_LEASE_SECONDS, wakeWorkers } from './queue.ts'
import { createOwnerLimiter } from './owner-limiter.ts'
import { runBatches } from './run-batches.ts'
import { JobFailure, type JobHandler } from './job-handler.ts'

type WebhookDeps = Pick<Deps, 'db' | 'secret' | 'config'>
type FoundDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

/** Attempts at once in each process. */
const CONCURRENCY = 25

/** What a webhook’s owner reads about a message that was not sent. */
const OBSTACLES = {
  paused: 'the webhook is paused',
  secretUnreadable: 'the signing secret can no longer be read: give the webhook a new secret',
}

/** What a webhook’s owner reads about an error: clearer than its message, and without details of our network. */
const REASONS: Record<string, string> & { unknown: string } = {
  // The same text whether or not the host exists, so that nobody can list the names of our network.
  ENOTFOUND: 'the host name has no public address',
  ENODATA: 'the host name has no public address',
  ETIMEOUT: 'the name server did not respond',
  ESERVFAIL: 'the name server did not respond',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  TimeoutError: 'no response within ten seconds',
  PrivateAddressError: 'the host name has no public address',
  unknown: 'the connection failed',
}

const reasonOf = (error: Error & { code?: string; cause?: unknown }): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  return REASONS[error.code ?? ''] ?? REASONS[cause.name] ?? REASONS[error.constructor.name] ?? REASONS.unknown
}

/** The secrets that sign: the current one and those of the last day. None if APP_SECRET was replaced since the current one was sealed. */
function signingSecrets({ secret }: WebhookDeps, webhook: FoundDelivery['webhook']): string[] {
  const current = tryUnseal(secret, webhook.secret)
  if (current === undefined) return []
  const former = formerSecrets(webhook).map((replaced) => tryUnseal(secret, replaced.secret))
  return [current, ...former.filter((replaced) => replaced !== undefined)]
}

/** Sends a message once. Throws `JobFailure` if this server’s own resolver is away, which is no fault of the receiver. */
async function attemptDelivery(
  { config }: WebhookDeps,
  { delivery: { id, body }, webhook: { url } }: FoundDelivery,
  secrets: string[],
  stopping: AbortSignal,
) {
  const message = { id, timestamp: Math.floor(Date.now() / 1000), body }
  const headers = { ...signatureHeaders(message, secrets), 'user-agent': 'Community-Webhooks/1.0' }
  const { isPrivateAllowed } = config.webhooks
  try {
    const status = await sendMessage({ url, headers, body }, { isPrivateAllowed, stopping })
    return { status, error: status >= 200 && status < 300 ? null : `the receiver responded with ${status}` }
  } catch (error) {
    if (error instanceof ResolverUnavailableError) throw new JobFailure(error.message, 'unavailable')
    return { status: null, error: reasonOf(error as Error) } satisfies Outcome
  }
}

/** Makes an attempt at a delivery and records its outcome; throws if it failed. */
async function deliver(deps: WebhookDeps, job: Job, found: FoundDelivery, stopping: AbortSignal): Promise<void> {
  const { delivery, webhook } = found
  const isPing = delivery.event === 'ping'
  const isPaused = !webhook.isActive && !isPing
  const secrets = signingSecrets(deps, webhook)
  // The receiver is asked only if this is null.
  const obstacle = isPaused ? OBSTACLES.paused : secrets.length === 0 ? OBSTACLES.secretUnreadable : null
  const outcome: Outcome = obstacle
    ? { status: null, error: obstacle }
    : await attemptDelivery(deps, found, secrets, stopping)
  if (outcome.error === null) return inTransaction(deps.db, (tx) => recordSuccess(tx, webhook.id, job, outcome))
  if (stopping.aborted) throw new JobFailure('the server stopped', 'unavailable')
  const isLast = isPing || isPaused || outcome.status === 410 || job.attempts > limits.WEBHOOK_RETRY_DELAYS.length
  const isEvent = !isPing && obstacle === null
  await inTransaction(deps.db, (tx) => recordFailure(tx, deps, webhook.id, job, { ...outcome, isLast, isEvent }))
  throw new JobFailure(outcome.error, isLast ? 'permanent' : 'temporary')
}

/** `community`, or the person who last set the webhook's URL: not its team, because one person may lead any number of teams. */
const limiterKeyOf = ({ teamId, createdBy }: FoundDelivery['webhook']): string =>
  teamId === null ? 'community' : (createdBy ?? teamId)

/** Sends the delivery with the job’s id: at least once, always under the same message id. */
export function webhookHandler(deps: WebhookDeps, stopping: AbortSignal): JobHandler {
  const runWithinLimits = createOwnerLimiter({ max: CONCURRENCY, perOwner: 5, postponedSeconds: 2 })
  return {
    // Longer than an attempt.
    lease: 60,
    // Receivers that do not respond must not hold up mails.
    concurrency: CONCURRENCY,
    retryDelays: limits.WEBHOOK_RETRY_DELAYS,
    async run(job) {
      const found = await findDelivery(deps.db, job.id)
      if (found?.delivery.status !== 'pending') return
      await runWithinLimits(limiterKeyOf(found.webhook), () => deliver(deps, job, found, stopping))
    },
    // If the process stopped during the last attempt, its outcome was never recorded.
    onDead: (job, reason) => inTransaction(deps.db, (tx) => failPendingDelivery(tx, job, reason)),
  }
}

/** Writes the deliveries of an event that every team's webhooks may receive, in batches. Their key skips those already written. */
export const webhookEventHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  // One batch follows the other, for minutes: sign-in codes must not wait for them.
  concurrency: 1,
  async run(job, payload) {
    await runBatches(db, job, stopping, async (after) => {
      // Only `emitToAll` adds jobs of this kind.
      const last = await inTransaction(db, (tx) => emitToNext(tx, payload as StoredEvent, job.key ?? job.id, after))
      wakeWorkers()
      return last
    })
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
