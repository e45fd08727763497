import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { challenges, webhooks } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { toChallengeData } from '../webhooks/emit-challenge.ts'
import { emit } from '../webhooks/emit.ts'
import { findDelivery } from '../webhooks/queries.ts'
import { type Outcome, recordFailure, recordSuccess } from '../webhooks/record-outcome.ts'
import { sendMessage } from '../webhooks/send-message.ts'
import { signatureHeaders } from '../webhooks/signing.ts'
import { JobFailure, type JobHandler } from './worker.ts'

type WebhookDeps = Pick<Deps, 'db' | 'secret' | 'config'>
type Found = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

/** Causes that tell the owner more than the error’s message would, and nothing about our network. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'the host name is unknown',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  TimeoutError: 'no response within ten seconds',
  PrivateAddressError: 'the address is not public',
}

const reasonOf = (error: Error & { code?: string; cause?: unknown }): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  return REASONS[error.code ?? ''] ?? REASONS[cause.name] ?? REASONS[error.constructor.name] ?? 'the connection failed'
}

/** Sends a message once; never rejects. */
async function attempt({ secret, config }: WebhookDeps, { delivery, webhook }: Found, stopping: AbortSignal) {
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
    return { status: null, error: reasonOf(error as Error) } satisfies Outcome
  }
}

/** Sends the delivery with the job’s id: at least once, always under the same message id. */
export const webhookHandler = (deps: WebhookDeps, stopping: AbortSignal): JobHandler => ({
  // Longer than an attempt.
  lease: 60,
  // Receivers that do not respond must not hold up mails.
  places: 5,
  retryDelays: limits.WEBHOOK_RETRY_DELAYS,
  async run({ id, attempts }) {
    const found = await findDelivery(deps.db, id)
    if (found?.delivery.status !== 'pending') return
    const { delivery, webhook } = found
    const isPing = delivery.event === 'ping'
    const isPaused = !webhook.isActive && !isPing
    const outcome: Outcome = isPaused
      ? { status: null, error: 'the webhook is paused' }
      : await attempt(deps, found, stopping)
    if (outcome.error === null) return inTransaction(deps.db, (tx) => recordSuccess(tx, webhook.id, id, outcome))
    if (stopping.aborted) throw new JobFailure('the server stopped', 'unavailable')
    const isLast = isPaused || isPing || outcome.status === 410 || attempts > limits.WEBHOOK_RETRY_DELAYS.length
    await inTransaction(deps.db, (tx) => recordFailure(tx, deps, webhook.id, id, { ...outcome, isLast }))
    throw new JobFailure(outcome.error, isLast ? 'permanent' : 'temporary')
  },
})

/** Finds the challenges whose deadline passed within the last day, and emits `challenge.closed` once for each. */
export const challengeDeadlinesHandler = ({ db }: Pick<Deps, 'db'>): JobHandler => ({
  every: 60,
  lease: 60,
  async run() {
    const listeners = db
      .select({ one: sql`1` })
      .from(webhooks)
      .where(and(eq(webhooks.isActive, true), sql`'challenge.closed' = any(${webhooks.events})`))
    const closed = await db
      .select({ id: challenges.id, title: challenges.title, deadline: challenges.deadline })
      .from(challenges)
      .where(
        and(
          eq(challenges.isActive, true),
          sql`${challenges.deadline} between now() - interval '1 day' and now()`,
          sql`exists ${listeners}`,
        ),
      )
    for (const challenge of closed) {
      const occurred = {
        at: challenge.deadline,
        key: `challenge.closed:${challenge.id}:${challenge.deadline.getTime()}`,
      }
      const data = { challenge: toChallengeData(challenge), reason: 'deadline' } as const
      await inTransaction(db, (tx) => emit(tx, { name: 'challenge.closed', data, occurred }))
    }
  },
})
