import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { compactCounts } from '../pagination/counts.ts'
import { sweepOrphans } from '../uploads/sweep-orphans.ts'
import { deleteExpired } from './expired-commands.ts'
import { RENEWED_LEASE_SECONDS, whileRenewingLease } from './queue.ts'
import { type JobHandler, PostponedJob } from './job-handler.ts'

const foldCounts = ({ db }: Pick<Deps, 'db'>) => inTransaction(db, compactCounts)

const TASKS = { deleteExpired, foldCounts, sweepOrphans }

/** Cleans up every ten minutes, in one of the processes. Runs all tasks, and fails if one of them does. */
export const housekeepingHandler = (
  deps: Pick<Deps, 'db' | 'storage' | 'secret' | 'log'>,
  stopping: AbortSignal,
): JobHandler => ({
  every: 10 * 60,
  // Cleaning up at once would slow down the first requests of a process.
  startDelay: 30,
  // Concurrent runs are safe.
  lease: RENEWED_LEASE_SECONDS,
  run: (job) =>
    whileRenewingLease(deps.db, job, async () => {
      const failed: string[] = []
      for (const [task, execute] of Object.entries(TASKS))
        await execute({ ...deps, stopping }).catch((error: unknown) => {
          if (stopping.aborted) throw new PostponedJob(0)
          deps.log.warn({ err: error, task }, 'a housekeeping task failed')
          failed.push(task)
        })
      if (failed.length > 0) throw new Error(`tasks that failed: ${failed.join(', ')}`)
    }),
})
