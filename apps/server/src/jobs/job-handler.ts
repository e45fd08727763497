import type { SQL } from 'drizzle-orm'
import type { Job } from './queue.ts'

export interface JobHandler {
  /** Seconds after which the job's worker counts as crashed, and another may claim it. Longer than `run` takes, unless it renews the lease. */
  lease: number
  /** Makes the job recurring: seconds from the end of a run, also a failed one, to the next. It never becomes dead, and is first due at once. */
  every?: number | SQL
  /** Seconds after a worker's start before it claims jobs of this kind. */
  startDelay?: number
  /** Jobs of this kind at once in each process. All kinds without it share a limit of five. */
  concurrency?: number
  /** The service that every job of this kind requires, if other kinds require it too: its outage pauses them together. */
  service?: string
  /** Seconds before each retry; after the last the job is dead. */
  retryDelays?: readonly number[]
  /**
   * Runs the job, again after a crash. An error schedules a retry, unless it is a `JobFailure` that says otherwise. Resolves with
   * `SERVICE_UNUSED` if the job needed nothing from its service.
   */
  run(job: Job, payload: unknown): Promise<void | typeof SERVICE_UNUSED>
  /** Called before the job is stored as dead; after an error, again when the lease ends. Gets no payload: it may be unreadable. */
  onDead?(job: Job, reason: string): Promise<void>
}

/** The handlers by kind of job. Jobs of other kinds belong to a newer version and are not claimed. */
export type JobHandlers = Record<string, JobHandler>

/**
 * Thrown by a handler when its job failed. The message is stored and logged, so it must contain no secrets. By `type`:
 * - `temporary`: the job is tried again, until its attempts are used up.
 * - `unavailable`: a service is down or the server is stopping. The job is tried again, and this attempt does not count.
 * - `permanent`: another attempt would fail too, so the job is given up.
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

/** Returned by a handler that did not contact its service. Any other result shows that the service works, and ends its outage. */
export const SERVICE_UNUSED = Symbol('service unused')
