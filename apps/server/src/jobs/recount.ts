import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { correctCounts } from '../pagination/recount.ts'
import { type JobHandler, PostponedJob } from './job-handler.ts'

/** Seconds until three o'clock (UTC) of the next day. */
const secondsUntilNextNight = sql`extract(epoch from
  date_trunc('day', now() at time zone 'UTC') + interval '1 day 3 hours' - now() at time zone 'UTC')`

/**
 * Recounts the table `counts` every night, in one of the processes. Logs each count that it corrected as an error, then calls
 * `onCorrected` with their number.
 */
export const recountHandler = (
  deps: Pick<Deps, 'db' | 'log'>,
  stopping: AbortSignal,
  onCorrected: (corrections: number) => void = () => {},
): JobHandler => ({
  every: secondsUntilNextNight,
  startDelay: 60,
  // Two concurrent runs would correct a count twice.
  lease: 60 * 60,
  concurrency: 1,
  async run() {
    const drifts = await correctCounts(deps, { signal: stopping }).catch((error: unknown) => {
      // Soon after the restart, not in the next night.
      throw stopping.aborted ? new PostponedJob(0) : error
    })
    for (const drift of drifts) deps.log.error({ drift }, 'a count differed from its rows and was corrected')
    onCorrected(drifts.length)
  },
})
