import { DEFAULT_NOTIFICATION_SETTINGS } from '@community/contract'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { renderDigest } from '../mails/render-digest.ts'
import {
  type DigestBatch,
  type DueDigests,
  findChangedDigestHours,
  findDigestHours,
  insertDigests,
} from '../notifications/digest-commands.ts'
import { type DigestHours, type DigestTimes, lastDigestTime, usableTimeZone } from '../notifications/digest-time.ts'
import { findDigest, findDigestKinds } from '../notifications/mail-queries.ts'
import { createPreferencesUrl } from '../notifications/preferences-link.ts'
import { createUnsubscribeUrl } from '../notifications/unsubscribe-token.ts'
import { toNotification, toSettings } from '../notifications/views.ts'
import { deliverMail, MAIL_SERVICE } from './mail.ts'
import { RENEWED_LEASE_SECONDS, whileRenewingLease } from './queue.ts'
import { waitForQuietHours } from './wait-for-quiet-hours.ts'
import { type JobHandler, PostponedJob, SERVICE_UNUSED } from './job-handler.ts'

/** Milliseconds that a digest waits after its time, for transactions that wrote notifications before it to commit. */
const SETTLED_MS = 60_000

/** `undefined` stands for the default hours. */
const keyOf = (hours: DigestHours | undefined): string =>
  hours ? [hours.timeZone, hours.digestHour, hours.digestWeekday].join() : ''

/** Adds the digests that are due; returns false if it skipped people, who need another run. */
async function addDigests(db: Deps['db'], due: DueDigests, stopping: AbortSignal): Promise<boolean> {
  let isComplete = true
  let last: string | null = null
  do {
    if (stopping.aborted) throw new PostponedJob(0)
    const after: string | null = last
    const batch: DigestBatch = await inTransaction(db, (tx) => insertDigests(tx, due, after))
    if (batch.skipped > 0) isComplete = false
    last = batch.last
  } while (last !== null)
  return isComplete
}

/**
 * Adds the due digests every minute: each has the notifications written before its time that are in no digest yet. Tries the hours of
 * everyone, and fails if those of some cannot be added.
 */
export function digestsHandler({ db, log }: Pick<Deps, 'db' | 'log'>, stopping: AbortSignal): JobHandler {
  /** By `keyOf(hours)`: the latest digest times, as JSON, for which this process has added every digest. */
  const added = new Map<string, string>()
  let settledBefore: Date | undefined
  const addDue = async (hours: DigestHours | undefined, settled: Date) => {
    const { timeZone, ...hoursOfDay } = hours ?? DEFAULT_NOTIFICATION_SETTINGS
    const times = { ...hoursOfDay, timeZone: usableTimeZone(timeZone) }
    const lastOf = (frequency: DigestTimes['frequency']) => lastDigestTime({ ...times, frequency }, settled)
    const before = { daily: lastOf('daily'), weekly: lastOf('weekly') }
    const [key, value] = [keyOf(hours), JSON.stringify(before)]
    if (added.get(key) !== value && (await addDigests(db, { hours, before }, stopping))) added.set(key, value)
  }
  const addAllDue = async () => {
    const { chosen, now } = await findDigestHours(db)
    const settled = new Date(now.getTime() - SETTLED_MS)
    // People who have changed to these hours since the last run may lack a digest that others with them have got.
    if (settledBefore) for (const hours of await findChangedDigestHours(db, settledBefore)) added.delete(keyOf(hours))
    settledBefore = settled
    let failures = 0
    for (const hours of [undefined, ...chosen])
      await addDue(hours, settled).catch((error: unknown) => {
        if (error instanceof PostponedJob) throw error
        log.warn({ err: error, hours }, 'digests could not be added')
        failures++
      })
    if (failures > 0) throw new Error(`digests of ${failures} different hours could not be added`)
  }
  return {
    every: 60,
    // Concurrent runs are safe.
    lease: RENEWED_LEASE_SECONDS,
    run: (job) => whileRenewingLease(db, job, addAllDue),
  }
}

/**
 * Mails the digest whose id is the job’s key, with the same Message-ID at every attempt. Leaves out notifications that were read meanwhile,
 * are no longer true or no longer wanted by mail; sends nothing if none remain, or if the account is gone or banned or its mails are paused.
 */
export const digestHandler = (deps: Pick<Deps, 'config' | 'db' | 'log' | 'mailer' | 'secret'>): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  service: MAIL_SERVICE,
  // A limit of its own, so that sign-in codes do not wait behind everybody's digests.
  concurrency: 2,
  async run(job) {
    // Only `insertDigests` adds jobs of this kind.
    const id = job.key as string
    const wanted = await findDigest(deps.db, id)
    const [first] = wanted
    if (!first) return SERVICE_UNUSED
    const { settings, userId, email, language, total } = first
    const { quietHours, timeZone } = toSettings(settings)
    waitForQuietHours({ quietHours, timeZone })
    const { appUrl, appName } = deps.config
    const unsubscribeUrl = createUnsubscribeUrl(deps, userId, await findDigestKinds(deps.db, id))
    const entries = wanted.map(({ notification }) => toNotification(notification, { language, timeZone }))
    await deliverMail(deps, job, {
      ...renderDigest(
        language,
        { entries, total },
        {
          appUrl,
          appName,
          unsubscribeUrl,
          preferencesUrl: createPreferencesUrl(deps, { userId, email }),
        },
      ),
      to: email,
      language,
      messageId: `<digest-${id}@${new URL(appUrl).hostname}>`,
      unsubscribeUrl,
    })
    return undefined
  },
})
