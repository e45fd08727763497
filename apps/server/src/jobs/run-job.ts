import { sql } from 'drizzle-orm'
import { APP_SECRET_CHANGED } from '../auth/secret.ts'
import type { Deps } from '../context.ts'
import { loggableMessage } from '../observability/log.ts'
import { serviceOf } from './concurrency-limits.ts'
import { JobFailure, type JobHandler, type JobHandlers, PostponedJob, SERVICE_UNUSED } from './job-handler.ts'
import type { Outages } from './outages.ts'
import { type Change, type ClaimedJob, inSeconds, readPayload } from './queue.ts'

const ATTEMPTS_MAX = 10
/** Seconds before the next attempt: 2, 4, 8 … 512, each a quarter more or less. */
const backoff = (attempts: number) => 2 ** attempts * (0.75 + Math.random() / 2)

type JobDeps = Pick<Deps, 'secret' | 'log'>

/** Runs a job and returns the change to its row. A dead job keeps its sealed payload for an administrator's retry, unless it has expired. */
export async function runJob(deps: JobDeps, outages: Outages, handlers: JobHandlers, job: ClaimedJob): Promise<Change> {
  const startedAt = performance.now()
  const { id, kind, attempts, lastError } = job
  // Only kinds with a handler are claimed.
  const handler = handlers[kind] as JobHandler
  const service = serviceOf(handlers, kind)
  const attemptsMax = handler.retryDelays ? handler.retryDelays.length + 1 : ATTEMPTS_MAX
  /** When a recurring job runs next. */
  const nextRun = handler.every && { attempts: 0, availableAt: inSeconds(handler.every) }
  const giveUp = async (reason: string): Promise<Change> => {
    await handler.onDead?.(job, reason)
    return { status: 'dead', lastError: reason }
  }
  if (job.isExpired) return { ...(await giveUp(lastError ?? 'expired before it could be sent')), payload: '' }
  // The last attempt left no outcome: its process exited, or the outcome could not be stored.
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
