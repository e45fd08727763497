import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { notifyNext } from '../notifications/audience-commands.ts'
import type { LaterNotification } from '../notifications/notify-later.ts'
import { publishNext } from '../notifications/publish-announcement.ts'
import { findDueReminders } from '../notifications/queries.ts'
import { notifyOfDeadline } from '../notifications/remind.ts'
import { type Job, renewLease, wakeWorkers } from './queue.ts'
import { type JobHandler, PostponedJob } from './worker.ts'

/** The lease of a job in seconds. It is renewed after each batch, so that another process soon goes on after a crash. */
const BATCH_LEASE_SECONDS = 60

/** The pause after a batch, as a multiple of its duration: batches run about a tenth of the time, so that other transactions hardly wait for them. */
const PAUSE_FACTOR = 9
/** Milliseconds of that pause at most. */
const PAUSE_MAX_MS = 2000
/** A limit of their own, because these jobs run for minutes, pauses included: sign-in codes must not wait for them. */
const CONCURRENCY = 2

/**
 * Runs the batches of a job until one returns no id to go on after. When this process stops, another starts the job again from the
 * first batch. Nobody is notified twice: each person gets only one notification with the job's key.
 */
async function runBatches(
  db: Deps['db'],
  job: Job,
  stopping: AbortSignal,
  runBatch: (after: string | undefined) => Promise<string | undefined>,
): Promise<void> {
  let last: string | undefined
  do {
    const startedAt = performance.now()
    last = await runBatch(last)
    if (last === undefined) return
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_FACTOR * (performance.now() - startedAt))
    await sleep(pause, undefined, { signal: stopping }).catch(() => {
      throw new PostponedJob(0)
    })
    // Without the lease another worker has the job, and the result of this one is not recorded.
  } while (await renewLease(db, job, BATCH_LEASE_SECONDS))
}

/** Notifies an audience that `notifyLater` queued. */
export const notifyHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: BATCH_LEASE_SECONDS,
  concurrency: CONCURRENCY,
  async run(job, payload) {
    // Only `notifyLater` adds jobs of this kind.
    const { audience, about } = payload as LaterNotification
    // So that a restart notifies nobody twice.
    const keyed = { ...about, key: about.key ?? job.id }
    await runBatches(db, job, stopping, async (after) => {
      const { last } = await inTransaction(db, (tx) => notifyNext(tx, audience, keyed, { after }))
      return last
    })
  },
})

/** Publishes an announcement. */
export const announcementHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: BATCH_LEASE_SECONDS,
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
