import { notificationKindOf } from '@community/contract'
import type { Deps } from '../context.ts'
import { renderNotificationMail } from '../mails/render-notification.ts'
import { isNotificationWanted } from '../notifications/is-mail-wanted.ts'
import { findNotificationMail } from '../notifications/mail-queries.ts'
import { createPreferencesUrl } from '../notifications/preferences-link.ts'
import { createUnsubscribeUrl } from '../notifications/unsubscribe-token.ts'
import { toNotification, toSettings } from '../notifications/views.ts'
import { deliverMail, MAIL_SERVICE } from './mail.ts'
import { RENEWED_LEASE_SECONDS } from './queue.ts'
import { waitForKnownKind } from './wait-for-known-kind.ts'
import { waitForQuietHours } from './wait-for-quiet-hours.ts'
import { type JobHandler, SERVICE_UNUSED } from './job-handler.ts'

/**
 * Mails the notification whose id is the job’s key, with the same Message-ID at every attempt. Sends nothing if the account is gone or
 * banned, or the notification no longer wanted.
 */
export const notificationMailHandler = (
  deps: Pick<Deps, 'config' | 'db' | 'log' | 'mailer' | 'secret'>,
): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  service: MAIL_SERVICE,
  // A separate limit, so that large audiences do not delay sign-in codes.
  concurrency: 3,
  async run(job) {
    // Only `insertJobs` adds jobs of this kind.
    const id = job.key as string
    const found = await findNotificationMail(deps.db, id)
    if (!found) return SERVICE_UNUSED
    const { notification, settings, userId, email, language } = found
    const { kind, teamId, challengeId } = notification
    waitForKnownKind(kind)
    const { isSafety } = notificationKindOf(kind)
    const { quietHours, timeZone } = toSettings(settings)
    if (!isNotificationWanted(found)) return SERVICE_UNUSED
    if (!isSafety) waitForQuietHours({ quietHours, timeZone })
    const { appUrl, appName } = deps.config
    const host = new URL(appUrl).hostname
    const unsubscribeUrl = isSafety ? undefined : createUnsubscribeUrl(deps, userId, [kind])
    const about = challengeId ? `challenge-${challengeId}` : teamId && `team-${teamId}`
    await deliverMail(deps, job, {
      ...renderNotificationMail(language, toNotification(notification, { language, timeZone }), {
        appUrl,
        appName,
        unsubscribeUrl,
        preferencesUrl: createPreferencesUrl(deps, { userId, email }),
      }),
      to: email,
      language,
      messageId: `<notification-${id}@${host}>`,
      thread: about ? `<${about}@${host}>` : undefined,
      unsubscribeUrl,
    })
    return undefined
  },
})
