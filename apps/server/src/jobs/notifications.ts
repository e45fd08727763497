import { inTransaction } from '@community/db'
import { findChallenge } from '../challenges/queries.ts'
import type { Deps } from '../context.ts'
import { notifyNextBatch } from '../notifications/audience-commands.ts'
import type { LaterNotification } from '../notifications/notify-later.ts'
import { publishNext } from '../notifications/publish-announcement.ts'
import { findDueReminders } from '../notifications/queries.ts'
import { notifyOfDeadline } from '../notifications/remind.ts'
import { RENEWED_LEASE_SECONDS, wakeWorkers } from './queue.ts'
import { runBatches } from './run-batches.ts'
import type { JobHandler } from './job-handler.ts'

/** A limit of their own, because these jobs run for minutes, pauses included: sign-in codes must not wait for them. */
const CONCURRENCY = 2

/** Notifies an audience that `notifyLater` queued. */
export const notifyHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  concurrency: CONCURRENCY,
  async run(job, payload) {
    // Only `notifyLater` adds jobs of this kind.
    const { audience, about } = payload as LaterNotification
    // So that a restart notifies nobody twice.
    const keyed = { ...about, key: about.key ?? job.id }
    await runBatches(db, job, stopping, async (after) => {
      const { last } = await inTransaction(db, async (tx) => {
        const challenge = about.challengeId == null ? null : await findChallenge(tx, about.challengeId)
        // Deleted since. If it was only deactivated, its next opening adds another job, but other news of it must still arrive.
        const isOutdated =
          challenge === undefined || (about.kind === 'challenge.published' && challenge?.isActive === false)
        return isOutdated ? { last: undefined } : notifyNextBatch(tx, audience, keyed, { after })
      })
      return last
    })
  },
})

/** Publishes an announcement. */
export const announcementHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  concurrency: CONCURRENCY,
  async run(job, payload) {
    // Only `announce` adds jobs of this kind.
    const { id } = payload as { id: string }
    await runBatches(db, job, stopping, (after) => inTransaction(db, (tx) => publishNext(tx, id, after)))
  },
})

/** Queues the reminders that are due. Their keys make each step happen once, however many processes there are. */
export const challengeRemindersHandler = ({ db, secret }: Pick<Deps, 'db' | 'secret'>): JobHandler => ({
  every: 60,
  lease: 60,
  async run() {
    await inTransaction(db, async (tx) => {
      for (const due of await findDueReminders(tx)) await notifyOfDeadline(tx, { secret }, due)
    })
    wakeWorkers()
  },
})
