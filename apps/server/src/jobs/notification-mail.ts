import { notificationKindOf } from '@community/contract'
import type { Deps } from '../context.ts'
import { renderNotificationMail } from '../mails/render-notification.ts'
import { findNotificationMail } from '../notifications/mail-queries.ts'
import { endOfQuietHours } from '../notifications/quiet-hours.ts'
import { createUnsubscribeToken } from '../notifications/unsubscribe-token.ts'
import { toNotification, toSettings } from '../notifications/views.ts'
import { mailFailure } from './mail.ts'
import { type JobHandler, PostponedJob } from './worker.ts'

/** Postpones a job to the end of the quiet hours, if it is in them. */
export function waitForQuietHours(hours: Parameters<typeof endOfQuietHours>[0], now = new Date()): void {
  const end = endOfQuietHours(hours, now)
  if (end) throw new PostponedJob(Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)))
}

/**
 * Mails the notification whose id is the job’s key, with the same Message-ID at every attempt. Sends nothing if the account is gone or
 * banned or no longer wants the mail, or if the notification was read while it waited for the end of the quiet hours.
 */
export const notificationMailHandler = ({
  config,
  db,
  mailer,
  secret,
}: Pick<Deps, 'config' | 'db' | 'mailer' | 'secret'>): JobHandler => ({
  lease: 60,
  // Its own, so that codes do not wait for the mails of a large audience.
  places: 3,
  async run({ key }) {
    // Only `insertFor` adds jobs of this kind.
    const id = key as string
    const found = await findNotificationMail(db, id)
    if (!found) return
    const { notification, settings, userId, email, language, isUnwanted } = found
    const { kind, teamId, challengeId } = notification
    const { isSafety } = notificationKindOf(kind)
    const { quietHours, timeZone } = toSettings(settings ? { ...settings, language } : undefined)
    if (!isSafety) {
      if (isUnwanted || notification.readAt) return
      waitForQuietHours({ quietHours, timeZone })
    }
    const { appUrl, appName, smtpUrl } = config
    const host = new URL(appUrl).hostname
    const unsubscribeUrl = isSafety
      ? undefined
      : `${appUrl}/email-preferences/unsubscribe?token=${createUnsubscribeToken({ secret }, userId, [kind])}`
    const about = challengeId ? `challenge-${challengeId}` : teamId && `team-${teamId}`
    try {
      await mailer.send({
        ...renderNotificationMail(language, toNotification(notification, { language, timeZone }), {
          appUrl,
          appName,
          unsubscribeUrl,
        }),
        to: email,
        language,
        messageId: `<notification-${id}@${host}>`,
        thread: about ? `<${about}@${host}>` : undefined,
        unsubscribeUrl,
      })
    } catch (error) {
      throw mailFailure(error, { recipient: email, values: {}, smtpUrl })
    }
  },
})
