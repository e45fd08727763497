import { readdirSync, readFileSync } from 'node:fs'

/** Processor time so far in nanoseconds, by process. */
type ProcessorTime = Map<number, number>

/** Nanoseconds of a task; 0 where it ended after it was listed. */
function runtimeOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** A process with all its threads, by Linux's scheduler: exact, where the clock ticks of `stat` are ten milliseconds. */
function threadsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + runtimeOf(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

/** A server and every process PostgreSQL has at this moment. */
export function processorTime(pid: number, postmaster: number): ProcessorTime {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  const backends = children.split(' ').filter(Boolean).map(Number)
  return new Map([
    [pid, threadsOf(pid)],
    ...backends.map((backend): [number, number] => [backend, runtimeOf(`/proc/${backend}/schedstat`)]),
  ])
}

/** Nanoseconds used between two readings; processes that ended in between are left out. */
export const usedBetween = (before: ProcessorTime, after: ProcessorTime): number =>
  [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)

/** Milliseconds a process has used since it began. */
export const usedSinceStart = (pid: number): number => threadsOf(pid) / 1e6
