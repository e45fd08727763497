import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { type Job, RENEWED_LEASE_SECONDS, renewLease } from './queue.ts'
import { type JobHandler, PostponedJob } from './job-handler.ts'

/** The pause after a batch, as a multiple of its duration: batches run about a tenth of the time, so that other transactions hardly wait for them. */
const PAUSE_FACTOR = 9
/** The longest pause, in ms. */
const PAUSE_MAX_MS = 2000

/**
 * Runs the batches of a job until one returns no id to go on after. The lease of the job is `RENEWED_LEASE_SECONDS`. When this process
 * stops, another starts the job again from the first batch, so a batch that ran before must change nothing.
 */
export async function runBatches(
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
  } while (await renewLease(db, job))
}

/** The handler of jobs that repeat one transaction until it returns false. Each transaction selects what is left. */
export const createBatchHandler = (
  { db }: Pick<Deps, 'db'>,
  stopping: AbortSignal,
  runBatch: (tx: Tx, payload: unknown) => Promise<boolean>,
): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  // A limit of its own, because these jobs may run for minutes: sign-in codes must not wait for them.
  concurrency: 1,
  async run(job, payload) {
    await runBatches(db, job, stopping, async () => {
      const hasMore = await inTransaction(db, (tx) => runBatch(tx, payload))
      // `runBatches` goes on until it gets undefined, and this work needs no position.
      return hasMore ? job.id : undefined
    })
  },
})
