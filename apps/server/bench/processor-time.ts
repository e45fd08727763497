import { readdirSync, readFileSync } from 'node:fs'

/** Processor time so far in nanoseconds, by process. */
type ProcessorTime = Map<number, number>

/** The CPU time of a task in nanoseconds; 0 if it ended after it was listed. */
function runtimeOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** The CPU time of a process with all its threads, from Linux's scheduler: it is exact, while `stat` counts ticks of ten milliseconds. */
function threadsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + runtimeOf(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

/** The CPU time of a server and of every process that PostgreSQL has at this moment. */
export function processorTime(pid: number, postmaster: number): ProcessorTime {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  const backends = children.split(' ').filter(Boolean).map(Number)
  return new Map([
    [pid, threadsOf(pid)],
    ...backends.map((backend): [number, number] => [backend, runtimeOf(`/proc/${backend}/schedstat`)]),
  ])
}

/** The CPU time in nanoseconds between two readings, without processes that ended in between. */
export const usedBetween = (before: ProcessorTime, after: ProcessorTime): number =>
  [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)

/** The CPU time of a process since its start, in milliseconds. */
export const usedSinceStart = (pid: number): number => threadsOf(pid) / 1e6
