import { inTransaction, isDatabaseUnavailable } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { addRecurring, type Change, claim, type ClaimedJob, inSeconds, type Job, onWake, settle } from './queue.ts'

export interface JobHandler {
  /** Seconds until a worker that has not finished a job counts as crashed and another takes over: more than `run` ever takes. */
  lease: number
  /** Seconds between the runs of a recurring job. Such a job is never dead. */
  every?: number
  /** Seconds after the start of a worker in which it takes none of these jobs. */
  startDelay?: number
  /** Does the job, again after a crash. Whatever it throws has it tried again later; a `JobFailure` may say otherwise. */
  run(job: Job, payload: unknown): Promise<void>
}

/** The handlers by the kinds of their jobs. A worker leaves other kinds alone: they are of a newer version. */
export type JobHandlers = Record<string, JobHandler>

/**
 * How a job failed. The message is kept and logged, so it holds no secrets. `unavailable`: a service that the job needs cannot be
 * reached, which says nothing about the job. `permanent`: another attempt would fail as well.
 */
export class JobFailure extends Error {
  constructor(
    message: string,
    readonly type: 'temporary' | 'unavailable' | 'permanent' = 'temporary',
  ) {
    super(message)
  }
}

/** Milliseconds between two looks for jobs of other processes and for those to be tried again. */
const IDLE_MS = 1000
const CONCURRENCY = 5
const ATTEMPTS_MAX = 10
/** Attempts beyond these do not count while a service is unavailable: the job is tried every quarter of a minute until it is back. */
const ATTEMPTS_UNAVAILABLE = 4
/** Seconds before the next attempt: 2, 4, 8 … up to ten minutes, and not for all jobs the same. */
const backoff = (attempts: number) => Math.min(600, 2 ** attempts) * (0.75 + Math.random() / 2)

type WorkerDeps = Pick<Deps, 'db' | 'secret' | 'log'>

/** Runs a job and answers what becomes of it. A dead job keeps its payload, sealed, for an administrator's retry. */
async function perform({ secret, log }: WorkerDeps, handler: JobHandler, job: ClaimedJob): Promise<Change> {
  const { id, kind, attempts, lastError } = job
  const next = handler.every && { attempts: 0, availableAt: inSeconds(handler.every) }
  if (job.isExpired) return { status: 'dead', payload: '', lastError: lastError ?? 'expired before it could be sent' }
  // No outcome was recorded for the last attempts: the process ended during them.
  if (attempts > ATTEMPTS_MAX && !next) return { status: 'dead', lastError: lastError ?? 'every attempt was cut off' }
  try {
    await handler.run(job, job.payload && JSON.parse(secret.unseal(job.payload)))
    return next ? { ...next, lastError: null } : { status: 'done', doneAt: sql`now()`, payload: '' }
  } catch (error) {
    const { message, type } =
      error instanceof JobFailure ? error : new JobFailure(error instanceof Error ? error.message : String(error))
    log.warn({ job: id, kind, attempts, lastError: message }, 'a job failed')
    if (next) return { ...next, lastError: message }
    const counted = type === 'unavailable' ? Math.min(attempts, ATTEMPTS_UNAVAILABLE) : attempts
    if (type === 'permanent' || counted >= ATTEMPTS_MAX) return { status: 'dead', lastError: message }
    return { attempts: counted, availableAt: inSeconds(backoff(counted)), lastError: message }
  }
}

export interface Worker {
  wake(): void
  /** Resolves when the jobs under way are done. */
  stop(): Promise<void>
}

/** Runs the jobs of the queue: at once when woken, else within a second. Several processes may have one. */
export function startWorker(deps: WorkerDeps, handlers: JobHandlers): Worker {
  const { db, log } = deps
  const started = performance.now()
  const running = new Set<Promise<unknown>>()
  let [isStopping, isWoken, hasMore, isScheduled] = [false, false, false, false]
  let endSleep = () => {}
  const wake = () => {
    isWoken = true
    endSleep()
  }
  const rest = async () => {
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
    const limit = CONCURRENCY - running.size
    const seconds = (performance.now() - started) / 1000
    const ready = Object.entries(handlers).filter(([, { startDelay = 0 }]) => seconds >= startDelay)
    if (limit === 0 || ready.length === 0) return []
    const recurring = Object.keys(handlers).filter((kind) => handlers[kind]?.every)
    if (!isScheduled) await inTransaction(db, (tx) => addRecurring(tx, recurring))
    isScheduled = true
    const leases = Object.fromEntries(ready.map(([kind, { lease }]) => [kind, lease]))
    const jobs = await inTransaction(db, (tx) => claim(tx, leases, limit))
    hasMore = jobs.length === limit
    return jobs
  }
  const start = (job: ClaimedJob) => {
    const run = perform(deps, handlers[job.kind] as JobHandler, job)
      .then((change) => settle(db, job, change))
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'the outcome of a job could not be recorded'))
      .finally(() => {
        running.delete(run)
        if (hasMore) wake()
      })
    running.add(run)
  }
  const work = async () => {
    while (!isStopping) {
      isWoken = false
      const jobs = await claimDue().catch((error: unknown) => {
        // A database that is away is reported by those who ask it; anything else would stop all jobs without a word.
        log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'the jobs could not be read')
        return []
      })
      jobs.forEach(start)
      await rest()
    }
    await Promise.all(running)
  }
  const leave = onWake(db, wake)
  const done = work()
  return {
    wake,
    async stop() {
      isStopping = true
      leave()
      endSleep()
      await done
    },
  }
}
