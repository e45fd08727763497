import { inTransaction } from '@community/db'
import type { Deps } from '../../context.ts'
import { type Job, renewLease } from '../../jobs/queue.ts'
import type { Progress } from '../archive/write-archive.ts'
import { setProgress } from './commands.ts'

const INTERVAL_MS = 1000

interface ProgressReports {
  /** Throws when the import must end. */
  onProgress: Progress
  /** Aborted when the server stops, another worker has claimed the job, or the import was cancelled. */
  signal: AbortSignal
  setTotal(total: number): void
  total(): number
  abort(): void
  /** Resolves when no report is under way. */
  stop(): Promise<void>
}

/** Stores the import's progress every second and renews the job's lease. */
export function reportProgress(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  id: string,
  job: Job,
  stopping: AbortSignal,
): ProgressReports {
  const ended = new AbortController()
  const signal = AbortSignal.any([stopping, ended.signal])
  const counts = new Map<string, number>()
  let total = 0
  let reporting: Promise<void> | undefined
  const report = async () => {
    try {
      const done = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const isRunning = await inTransaction(db, (tx) => setProgress(tx, id, { done, total }))
      if (!isRunning || !(await renewLease(db, job))) ended.abort()
    } catch (error) {
      log.warn({ err: error }, 'the progress of an import could not be stored')
    }
  }
  const start = () => (reporting ??= report().finally(() => (reporting = undefined)))
  const timer = setInterval(() => void start(), INTERVAL_MS)
  void start()
  return {
    signal,
    onProgress(what, done) {
      counts.set(what, done)
      signal.throwIfAborted()
    },
    setTotal: (count) => (total = count),
    total: () => total,
    abort: () => ended.abort(),
    async stop() {
      clearInterval(timer)
      await reporting
    },
  }
}
