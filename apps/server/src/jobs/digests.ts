import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { renderDigest } from '../mails/render-digest.ts'
import { findDigestTimes, insertDigests } from '../notifications/digest-commands.ts'
import { lastDigestTime } from '../notifications/digest-time.ts'
import { findDigest } from '../notifications/mail-queries.ts'
import { createUnsubscribeUrl } from '../notifications/unsubscribe-token.ts'
import { toNotification, toSettings } from '../notifications/views.ts'
import { deliverMail } from './mail.ts'
import { waitForQuietHours } from './wait-for-quiet-hours.ts'
import type { JobHandler } from './worker.ts'

/** Milliseconds after their time: what was written just before it is committed by then. */
const SETTLED_MS = 60_000

/** Adds, every minute, the digests whose time has come: what was written before it and is in no digest yet. */
export const digestsHandler = ({ db }: Pick<Deps, 'db'>): JobHandler => ({
  every: 60,
  // Concurrent runs are safe.
  lease: 10 * 60,
  async run() {
    for (const { times, now } of await findDigestTimes(db)) {
      const before = lastDigestTime(times, new Date(now.getTime() - SETTLED_MS))
      while ((await inTransaction(db, (tx) => insertDigests(tx, { ...times, before }))) > 0);
    }
  },
})

/**
 * Mails the digest whose id is the job’s key, with the same Message-ID at every attempt. Leaves out what was read meanwhile or is no
 * longer wanted by mail; sends nothing if that is all of it, or if the account is gone or banned.
 */
export const digestHandler = (deps: Pick<Deps, 'config' | 'db' | 'mailer' | 'secret'>): JobHandler => ({
  lease: 60,
  // Its own, so that codes do not wait for the digests of everybody.
  places: 2,
  async run({ key }) {
    // Only `insertDigests` adds jobs of this kind.
    const id = key as string
    const found = await findDigest(deps.db, id)
    const wanted = found.filter(({ notification, isUnwanted }) => !isUnwanted && !notification.readAt)
    const [first] = wanted
    if (!first) return
    const { settings, userId, email, language } = first
    const { quietHours, timeZone } = toSettings(settings)
    waitForQuietHours({ quietHours, timeZone })
    const { appUrl, appName } = deps.config
    const kinds = [...new Set(wanted.map(({ notification }) => notification.kind))]
    const unsubscribeUrl = createUnsubscribeUrl(deps, userId, kinds)
    const entries = wanted.map(({ notification }) => toNotification(notification, { language, timeZone }))
    await deliverMail(deps, {
      ...renderDigest(language, entries, { appUrl, appName, unsubscribeUrl }),
      to: email,
      language,
      messageId: `<digest-${id}@${new URL(appUrl).hostname}>`,
      unsubscribeUrl,
    })
  },
})
