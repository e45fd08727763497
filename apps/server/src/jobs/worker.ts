import { inTransaction, isDatabaseUnavailable } from '@community/db'
import type { Deps } from '../context.ts'
import { concurrencyLimits, recurringKinds } from './concurrency-limits.ts'
import type { JobHandlers } from './job-handler.ts'
import { trackOutages } from './outages.ts'
import { addRecurring, claim, type ClaimedJob, type ClaimLimit, onWake, settle } from './queue.ts'
import { runJob } from './run-job.ts'
import { createSleep } from './sleep.ts'

/** Milliseconds between two polls, for jobs of other processes and for retries. */
const POLL_INTERVAL_MS = 1000
/** Seconds between two attempts to reach an unavailable service, each by one of its jobs; its other jobs wait. */
const PROBE_SECONDS = 5

type WorkerDeps = Pick<Deps, 'db' | 'secret' | 'log'>

/** How many more jobs each limit allows beside running jobs of the kinds `jobKinds`. Limits that allow no more are left out. */
const subtractJobs = (limits: ClaimLimit[], jobKinds: string[]): ClaimLimit[] =>
  limits
    .map(({ kinds, max }) => ({ kinds, max: max - jobKinds.filter((kind) => kinds.includes(kind)).length }))
    .filter(({ max }) => max > 0)

export interface Worker {
  wake(): void
  /** Resolves when the running jobs are done. */
  stop(): Promise<void>
}

interface WorkerOptions {
  probeSeconds?: number
  /** Called after each run of a recurring job, with the message of its error if it failed. */
  onRecurringRun?: ((kind: string, error: string | null) => void) | undefined
}

/** Starts a worker that runs due jobs: immediately when woken, otherwise within a second. Every process may start one. */
export function startWorker(
  deps: WorkerDeps,
  handlers: JobHandlers,
  { probeSeconds = PROBE_SECONDS, onRecurringRun }: WorkerOptions = {},
): Worker {
  const { db, log } = deps
  const startedAt = performance.now()
  const running = new Map<Promise<unknown>, string>()
  const outages = trackOutages(probeSeconds)
  let isStopping = false
  let hasMore = false
  let hasAddedRecurring = false
  const { wake, sleep } = createSleep(POLL_INTERVAL_MS)
  const claimDue = async (): Promise<ClaimedJob[]> => {
    const seconds = (performance.now() - startedAt) / 1000
    const ready = Object.entries(handlers).filter(([, { startDelay = 0 }]) => seconds >= startDelay)
    const limits = concurrencyLimits(Object.fromEntries(ready), outages)
    const freeLimits = subtractJobs(limits, [...running.values()])
    if (freeLimits.length === 0) return []
    if (!hasAddedRecurring) await inTransaction(db, (tx) => addRecurring(tx, recurringKinds(handlers)))
    hasAddedRecurring = true
    const leases = Object.fromEntries(ready.map(([kind, { lease }]) => [kind, lease]))
    const jobs = await inTransaction(db, (tx) => claim(tx, leases, freeLimits))
    // A kind that is at its limit may have more due jobs.
    const jobKinds = jobs.map(({ kind }) => kind)
    hasMore = subtractJobs(freeLimits, jobKinds).length < limits.length
    return jobs
  }
  const start = (job: ClaimedJob) => {
    const run = runJob(deps, outages, handlers, job)
      .then((change) => {
        // A postponed run has no outcome.
        if (handlers[job.kind]?.every && change.lastError !== undefined) onRecurringRun?.(job.kind, change.lastError)
        return settle(db, job, change)
      })
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'the outcome of a job could not be recorded'))
      .finally(() => {
        running.delete(run)
        if (hasMore) wake()
      })
    running.set(run, job.kind)
  }
  const work = async () => {
    while (!isStopping) {
      const jobs = await claimDue().catch((error: unknown) => {
        // The health check reports an unavailable database; any other error would stop all jobs silently.
        log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'the jobs could not be read')
        return []
      })
      jobs.forEach(start)
      await sleep()
    }
    await Promise.all(running.keys())
  }
  const unregister = onWake(wake)
  const done = work()
  return {
    wake,
    async stop() {
      isStopping = true
      unregister()
      wake()
      await done
    },
  }
}
