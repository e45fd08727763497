import { inTransaction, isDatabaseUnavailable } from '@community/db'
import { type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { APP_SECRET_CHANGED } from '../auth/secret.ts'
import { loggableMessage } from '../observability/log.ts'
import { concurrencyLimits, recurringKinds, serviceOf } from './concurrency-limits.ts'
import { type Outages, trackOutages } from './outages.ts'
import {
  addRecurring,
  type Change,
  claim,
  type ClaimedJob,
  inSeconds,
  type Job,
  onWake,
  readPayload,
  settle,
} from './queue.ts'
import { createSleep } from './sleep.ts'

export interface JobHandler {
  /** Seconds after which an unfinished job is claimed again, because its worker crashed: longer than `run` ever takes, unless it renews the lease. */
  lease: number
  /** Seconds from the end of a run, also a failed one, to the next of a recurring job, which never becomes dead. The first is due at once. */
  every?: number | SQL
  /** Seconds after a worker's start before it claims jobs of this kind. */
  startDelay?: number
  /** Jobs of this kind that run at once in each process, beside those of other kinds. All kinds without it share a limit of five. */
  concurrency?: number
  /** The service that every job of this kind requires, if other kinds require it too. */
  service?: string
  /** Seconds before each retry; after the last the job is dead. */
  retryDelays?: readonly number[]
  /**
   * Runs the job, again after a crash. An error schedules a retry, unless it is a `JobFailure` that says otherwise. Resolves with
   * `SERVICE_UNUSED` if the job needed nothing from its service.
   */
  run(job: Job, payload: unknown): Promise<void | typeof SERVICE_UNUSED>
  /** Called before the job is stored as dead, which an error postpones until the lease ends. Gets no payload: it may be unreadable. */
  onDead?(job: Job, reason: string): Promise<void>
}

/** The handlers by kind of job. Jobs of other kinds belong to a newer version and are not claimed. */
export type JobHandlers = Record<string, JobHandler>

/**
 * A failed job. The message is stored and logged, so it must contain no secrets. `unavailable`: the service that every job of this
 * kind requires cannot be reached, so the attempt does not count. `permanent`: another attempt would fail too.
 */
export class JobFailure extends Error {
  constructor(
    message: string,
    readonly type: 'temporary' | 'unavailable' | 'permanent' = 'temporary',
  ) {
    super(message)
  }
}

/** Thrown by a handler when it is too early for its job: the job runs again later, and the attempt does not count. */
export class PostponedJob extends Error {
  constructor(readonly seconds: number) {
    super('postponed')
  }
}

/** The result of a job that did not contact its service, so that it says nothing about an outage. */
export const SERVICE_UNUSED = Symbol('service unused')

/** Milliseconds between two polls, for jobs of other processes and for retries. */
const POLL_INTERVAL_MS = 1000
const ATTEMPTS_MAX = 10
/** Seconds between two attempts to reach an unavailable service, each by one of its jobs; its other jobs wait. */
const PROBE_SECONDS = 5
/** Seconds before the next attempt: 2, 4, 8 … up to ten minutes, with jitter. */
const backoff = (attempts: number) => Math.min(600, 2 ** attempts) * (0.75 + Math.random() / 2)

type WorkerDeps = Pick<Deps, 'db' | 'secret' | 'log'>

/** Runs a job and returns the change to its row. A dead job keeps its sealed payload for an administrator's retry. */
async function runJob(deps: WorkerDeps, outages: Outages, handlers: JobHandlers, job: ClaimedJob): Promise<Change> {
  const startedAt = performance.now()
  const { id, kind, attempts, lastError } = job
  const handler = handlers[kind] as JobHandler
  const service = serviceOf(handlers, kind)
  const attemptsMax = handler.retryDelays ? handler.retryDelays.length + 1 : ATTEMPTS_MAX
  const nextRun = handler.every && { attempts: 0, availableAt: inSeconds(handler.every) }
  const giveUp = async (reason: string): Promise<Change> => {
    await handler.onDead?.(job, reason)
    return { status: 'dead', lastError: reason }
  }
  if (job.isExpired) return { ...(await giveUp(lastError ?? 'expired before it could be sent')), payload: '' }
  // The last attempts have no outcome, because the process exited during them.
  if (attempts > attemptsMax && !nextRun) return giveUp(lastError ?? 'every attempt was cut off')
  const logFailure = (reason: string) => deps.log.warn({ job: id, kind, attempts, lastError: reason }, 'a job failed')
  const payload = readPayload(deps, job)
  if (payload === undefined) {
    const reason = `the job cannot be read: ${APP_SECRET_CHANGED}`
    logFailure(reason)
    return giveUp(reason)
  }
  try {
    if ((await handler.run(job, payload)) !== SERVICE_UNUSED) outages.recordResponse(service)
    return nextRun ? { ...nextRun, lastError: null } : { status: 'done', doneAt: sql`now()`, payload: '' }
  } catch (error) {
    if (error instanceof PostponedJob) return { attempts: attempts - 1, availableAt: inSeconds(error.seconds) }
    const type = error instanceof JobFailure ? error.type : 'temporary'
    const message = loggableMessage(error)
    logFailure(message)
    if (type === 'unavailable') outages.recordFailure(service, startedAt)
    else if (error instanceof JobFailure) outages.recordResponse(service)
    if (nextRun) return { ...nextRun, lastError: message }
    if (type === 'unavailable')
      return { attempts: attempts - 1, availableAt: inSeconds(outages.probeSeconds), lastError: message }
    if (type === 'permanent' || attempts >= attemptsMax) return giveUp(message)
    const delay = handler.retryDelays?.[attempts - 1] ?? backoff(attempts)
    return { availableAt: inSeconds(delay), lastError: message }
  }
}

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
  const started = performance.now()
  const running = new Map<Promise<unknown>, string>()
  const outages = trackOutages(probeSeconds)
  let [isStopping, hasMore, hasAddedRecurring] = [false, false, false]
  const { wake, sleep } = createSleep(POLL_INTERVAL_MS)
  const claimDue = async (): Promise<ClaimedJob[]> => {
    const seconds = (performance.now() - started) / 1000
    const ready = Object.entries(handlers).filter(([, { startDelay = 0 }]) => seconds >= startDelay)
    const countRunning = (kinds: string[]) => [...running.values()].filter((kind) => kinds.includes(kind)).length
    const allLimits = concurrencyLimits(Object.fromEntries(ready), outages)
    const claimLimits = allLimits
      .map(({ kinds, max }) => ({ kinds, max: max - countRunning(kinds) }))
      .filter(({ max }) => max > 0)
    if (claimLimits.length === 0) return []
    if (!hasAddedRecurring) await inTransaction(db, (tx) => addRecurring(tx, recurringKinds(handlers)))
    hasAddedRecurring = true
    const leases = Object.fromEntries(ready.map(([kind, { lease }]) => [kind, lease]))
    const jobs = await inTransaction(db, (tx) => claim(tx, leases, claimLimits))
    // More jobs may be due: a kind was at its limit before this claim, or has reached it now.
    hasMore =
      claimLimits.length < allLimits.length ||
      claimLimits.some(({ kinds, max }) => jobs.filter(({ kind }) => kinds.includes(kind)).length === max)
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
