import { inTransaction } from '@community/db'
import { limits, notificationKindOf } from '@community/contract'
import type { Config } from '../config.ts'
import type { Deps } from '../context.ts'
import { appTitleIn } from '../mails/app-name.ts'
import { deletePushSubscription, parsePushKey } from '../notifications/push-commands.ts'
import { findPushMessage } from '../notifications/push-queries.ts'
import { toSettings } from '../notifications/views.ts'
import { ResolverUnavailableError } from '../webhooks/public-address.ts'
import { sendMessage } from '../webhooks/send-message.ts'
import { waitForKnownKind } from './wait-for-known-kind.ts'
import { waitForQuietHours } from './wait-for-quiet-hours.ts'
import { createOwnerLimiter } from './owner-limiter.ts'
import { JobFailure, type JobHandler } from './job-handler.ts'

type PushMessage = NonNullable<Awaited<ReturnType<typeof findPushMessage>>>

/** The longest time, in seconds, for which a push service should keep a message for a device that is offline. */
const TTL_MAX = 86_400
/** Messages at once in each process. */
const CONCURRENCY = 10
const TIMEOUT_MS = 5000
/** Together a day, longer than an outage of a push service: when all attempts of a message fail, its subscription is deleted. */
const RETRY_DELAYS = [10, limits.MINUTE, 10 * limits.MINUTE, limits.HOUR, 6 * limits.HOUR, 16 * limits.HOUR]
/** Statuses of a subscription that the browser has ended or that the push service no longer knows. */
const GONE = [404, 410]

/** A reminder is no longer true after the deadline. */
const ttlOf = ({ kind, params }: PushMessage): number => {
  if (kind !== 'challenge.reminder') return TTL_MAX
  const seconds = Math.ceil((Date.parse(String(params['deadline'])) - Date.now()) / 1000)
  return Math.min(TTL_MAX, Math.max(0, seconds))
}

/** Encrypts the message for the browser. It names no person, team or challenge, only the page that a click opens. */
async function encrypt(message: PushMessage, { push, appName }: Config) {
  const { kind, params, language, endpoint, p256dh, auth } = message
  // Loaded when needed, so that a start does not wait for its cryptography.
  const { default: webPush } = await import('web-push')
  const { summary, href } = notificationKindOf(kind)
  const payload = { title: appTitleIn(language, appName), body: summary[language], language, href: href(params) }
  return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
    TTL: ttlOf(message),
    ...(push && { vapidDetails: push }),
  })
}

/** Resolves with the status of the push service’s response. Throws `JobFailure` if it could not be reached. */
async function send(message: PushMessage, config: Config, stopping: AbortSignal): Promise<number> {
  const { headers, body } = await encrypt(message, config)
  const request = { url: message.endpoint, headers: headers as Record<string, string>, body: body ?? '' }
  const { isPrivateAllowed } = config.webhooks
  try {
    return await sendMessage(request, { isPrivateAllowed, stopping, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    const isOurs = error instanceof ResolverUnavailableError || stopping.aborted
    throw new JobFailure('the push service could not be reached', isOurs ? 'unavailable' : 'temporary')
  }
}

/**
 * Sends the notification to the device that the job’s key names. Sends nothing if either is gone, if the kind is no longer wanted, or if
 * the notification is no longer true or was read while it waited for the end of the quiet hours.
 */
export function notificationPushHandler(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  stopping: AbortSignal,
): JobHandler {
  const runForPerson = createOwnerLimiter({ max: CONCURRENCY, perOwner: 2, postponedSeconds: 5 })
  return {
    // Longer than an attempt.
    lease: 60,
    // Push services that do not respond must not hold up mails.
    concurrency: CONCURRENCY,
    retryDelays: RETRY_DELAYS,
    async run({ key, attempts }) {
      // Only `insertJobs` adds jobs of this kind.
      const ids = parsePushKey(key as string)
      const found = await findPushMessage(db, ids)
      if (!found || !config.push) return
      const { userId, kind, readAt, isUnwanted, settings, endpoint } = found
      if (readAt || isUnwanted) return
      waitForKnownKind(kind)
      if (!notificationKindOf(kind).isSafety) waitForQuietHours(toSettings(settings))
      const unsubscribe = () => inTransaction(db, (tx) => deletePushSubscription(tx, ids.familyId, endpoint))
      let status: number
      try {
        status = await runForPerson(userId, () => send(found, config, stopping))
      } catch (error) {
        const isUnreachable = error instanceof JobFailure && error.type === 'temporary'
        if (isUnreachable && attempts > RETRY_DELAYS.length) await unsubscribe()
        throw error
      }
      if (GONE.includes(status)) return unsubscribe()
      if (status >= 200 && status < 300) return
      const isPermanent = status >= 400 && status < 500 && status !== 429
      throw new JobFailure(`the push service responded with ${status}`, isPermanent ? 'permanent' : 'temporary')
    },
  }
}
