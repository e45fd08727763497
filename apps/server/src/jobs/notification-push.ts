import { inTransaction } from '@community/db'
import { notificationKindOf } from '@community/contract'
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
import { JobFailure, type JobHandler } from './worker.ts'

type PushMessage = NonNullable<Awaited<ReturnType<typeof findPushMessage>>>

/** The longest time, in seconds, for which a push service should keep a message for a device that is offline. */
const TTL_MAX = 86_400
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

/**
 * Sends the notification to the device that the job’s key names. Sends nothing if either is gone, if the kind is no longer wanted, or if
 * the notification is no longer true or was read while it waited for the end of the quiet hours.
 */
export const notificationPushHandler = (
  { config, db }: Pick<Deps, 'config' | 'db'>,
  stopping: AbortSignal,
): JobHandler => ({
  // Longer than an attempt.
  lease: 60,
  // Push services that do not respond must not hold up mails.
  concurrency: 3,
  async run({ key }) {
    // Only `insertJobs` adds jobs of this kind.
    const ids = parsePushKey(key as string)
    const found = await findPushMessage(db, ids)
    if (!found || !config.push) return
    const { kind, readAt, isUnwanted, settings, endpoint } = found
    if (readAt || isUnwanted) return
    waitForKnownKind(kind)
    if (!notificationKindOf(kind).isSafety) waitForQuietHours(toSettings(settings))
    const { headers, body } = await encrypt(found, config)
    const message = { url: endpoint, headers: headers as Record<string, string>, body: body ?? '' }
    const { isPrivateAllowed } = config.webhooks
    let status: number
    try {
      status = await sendMessage(message, { isPrivateAllowed, stopping })
    } catch (error) {
      const isOurs = error instanceof ResolverUnavailableError || stopping.aborted
      throw new JobFailure('the push service could not be reached', isOurs ? 'unavailable' : 'temporary')
    }
    if (GONE.includes(status)) return inTransaction(db, (tx) => deletePushSubscription(tx, ids.familyId, endpoint))
    if (status >= 200 && status < 300) return
    const isPermanent = status >= 400 && status < 500 && status !== 429
    throw new JobFailure(`the push service responded with ${status}`, isPermanent ? 'permanent' : 'temporary')
  },
})
