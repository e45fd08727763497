import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { compactCounts } from '../pagination/counts.ts'
import { sweepOrphans } from '../uploads/sweep-orphans.ts'
import { deleteExpired } from './expired-commands.ts'
import type { JobHandler } from './worker.ts'

const foldCounts = ({ db }: Pick<Deps, 'db'>) => inTransaction(db, compactCounts)

const TASKS = { deleteExpired, foldCounts, sweepOrphans }

/** Cleans up every ten minutes, in one of the processes. Calls `onTaskDone` after each task, with its error if it failed. */
export const housekeepingHandler = (
  deps: Pick<Deps, 'db' | 'storage' | 'secret' | 'log'>,
  onTaskDone: (task: string, error?: unknown) => void = () => {},
): JobHandler => ({
  every: 10 * 60,
  // Cleaning up at once would slow down the first requests of a process.
  startDelay: 30,
  // Concurrent runs are safe.
  lease: 15 * 60,
  async run() {
    for (const [task, execute] of Object.entries(TASKS))
      await execute(deps).then(
        () => onTaskDone(task),
        (error: unknown) => {
          deps.log.warn({ err: error, task }, 'a housekeeping task failed')
          onTaskDone(task, error)
        },
      )
  },
})
