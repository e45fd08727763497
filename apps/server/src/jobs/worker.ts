import { inTransaction, isDatabaseUnavailable } from '@community/db'
import { type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { SEALED_BEFORE } from '../auth/secret.ts'
import { loggableMessage } from '../observability/log.ts'
import { type Outages, trackOutages } from './outages.ts'
import {
  addRecurring,
  type Change,
  claim,
  type ClaimedJob,
  type ClaimLimit,
  inSeconds,
  type Job,
  onWake,
  readPayload,
  settle,
} from './queue.ts'

export interface JobHandler {
  /** Seconds after which an unfinished job is claimed again, because its worker crashed: longer than `run` ever takes, unless it renews the lease. */
  lease: number
  /** Seconds from the end of a run to the next of a recurring job, which never becomes dead. */
  every?: number | SQL
  /** Seconds after a worker's start before it claims jobs of this kind. */
  startDelay?: number
  /** Jobs of this kind that run at once in each process, beside those of other kinds. All kinds without it share a limit of five. */
  concurrency?: number
  /** Seconds before each retry; after the last the job is dead. */
  retryDelays?: readonly number[]
  /** Runs the job, again after a crash. An error schedules a retry, unless it is a `JobFailure` that says otherwise. */
  run(job: Job, payload: unknown): Promise<void>
  /** Called before the job is stored as dead; an error postpones that. Without the payload, which may be unreadable. */
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

/** Milliseconds between two polls, for jobs of other processes and for retries. */
const IDLE_MS = 1000
/** Jobs of the kinds without a concurrency of their own. */
const SHARED_CONCURRENCY = 5
const ATTEMPTS_MAX = 10
/** Seconds between two attempts to reach an unavailable service, each by one of its jobs; its other jobs wait. */
const PROBE_SECONDS = 5
/** Seconds before the next attempt: 2, 4, 8 … up to ten minutes, with jitter. */
const backoff = (attempts: number) => Math.min(600, 2 ** attempts) * (0.75 + Math.random() / 2)

type WorkerDeps = Pick<Deps, 'db' | 'secret' | 'log'>

/** Runs a job and returns the change to its row. A dead job keeps its sealed payload for an administrator's retry. */
async function runJob(deps: WorkerDeps, outages: Outages, handler: JobHandler, job: ClaimedJob): Promise<Change> {
  const startedAt = performance.now()
  const { id, kind, attempts, lastError } = job
  const attemptsMax = handler.retryDelays ? handler.retryDelays.length + 1 : ATTEMPTS_MAX
  const nextRun = handler.every && { attempts: 0, availableAt: inSeconds(handler.every) }
  const giveUp = async (reason: string): Promise<Change> => {
    await handler.onDead?.(job, reason)
    return { status: 'dead', lastError: reason }
  }
  if (job.isExpired) return { ...(await giveUp(lastError ?? 'expired before it could be sent')), payload: '' }
  // The last attempts have no outcome, because the process exited during them.
  if (attempts > attemptsMax && !nextRun) return giveUp(lastError ?? 'every attempt was cut off')
  try {
    const payload = readPayload(deps, job)
    if (payload === undefined) throw new JobFailure(`the job cannot be read: ${SEALED_BEFORE}`, 'permanent')
    await handler.run(job, payload)
    outages.recordAnswer(kind)
    return nextRun ? { ...nextRun, lastError: null } : { status: 'done', doneAt: sql`now()`, payload: '' }
  } catch (error) {
    if (error instanceof PostponedJob) return { attempts: attempts - 1, availableAt: inSeconds(error.seconds) }
    const type = error instanceof JobFailure ? error.type : 'temporary'
    const message = loggableMessage(error)
    deps.log.warn({ job: id, kind, attempts, lastError: message }, 'a job failed')
    if (type === 'unavailable') outages.recordFailure(kind, startedAt)
    else outages.recordAnswer(kind)
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

/** Starts a worker that runs due jobs: immediately when woken, otherwise within a second. Every process may start one. */
export function startWorker(deps: WorkerDeps, handlers: JobHandlers, probeSeconds = PROBE_SECONDS): Worker {
  const { db, log } = deps
  const started = performance.now()
  const running = new Map<Promise<unknown>, string>()
  const outages = trackOutages(probeSeconds)
  let [isStopping, isWoken, hasMore, hasAddedRecurring] = [false, false, false, false]
  let endSleep = () => {}
  const wake = () => {
    isWoken = true
    endSleep()
  }
  const waitUntilWoken = async () => {
    if (!isWoken && !isStopping)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, IDLE_MS)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      })
  }
  const claimDue = async (): Promise<ClaimedJob[]> => {
    const seconds = (performance.now() - started) / 1000
    const ready = Object.entries(handlers).filter(([, { startDelay = 0 }]) => seconds >= startDelay)
    const countRunning = (kinds: string[]) => [...running.values()].filter((kind) => kinds.includes(kind)).length
    const claimLimitOf = (kinds: string[], limit: number): ClaimLimit => ({ kinds, max: limit - countRunning(kinds) })
    // While the service of a kind is unavailable, one job at a time probes it.
    const concurrencyOf = (kind: string) =>
      outages.has(kind) ? Number(outages.isProbeDue(kind)) : handlers[kind]?.concurrency
    const readyKinds = ready.map(([kind]) => kind)
    const sharingKinds = readyKinds.filter((kind) => concurrencyOf(kind) === undefined)
    const allLimits = readyKinds.flatMap((kind) => {
      const concurrency = concurrencyOf(kind)
      return concurrency ? [claimLimitOf([kind], concurrency)] : []
    })
    if (sharingKinds.length > 0) allLimits.push(claimLimitOf(sharingKinds, SHARED_CONCURRENCY))
    const claimLimits = allLimits.filter(({ max }) => max > 0)
    if (claimLimits.length === 0) return []
    const recurring = Object.keys(handlers).filter((kind) => handlers[kind]?.every)
    if (!hasAddedRecurring) await inTransaction(db, (tx) => addRecurring(tx, recurring))
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
    const run = runJob(deps, outages, handlers[job.kind] as JobHandler, job)
      .then((change) => settle(db, job, change))
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'the outcome of a job could not be recorded'))
      .finally(() => {
        running.delete(run)
        if (hasMore) wake()
      })
    running.set(run, job.kind)
  }
  const work = async () => {
    while (!isStopping) {
      isWoken = false
      const jobs = await claimDue().catch((error: unknown) => {
        // The health check reports an unavailable database; any other error would stop all jobs silently.
        log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'the jobs could not be read')
        return []
      })
      jobs.forEach(start)
      await waitUntilWoken()
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
      endSleep()
      await done
    },
  }
}
