import { readdirSync, readFileSync } from 'node:fs'

/** Processor time so far in nanoseconds, by process. */
export type ProcessorTime = Map<number, number>

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended after it was listed.
    return ''
  }
}

const runtimeOf = (path: string): number => Number(read(path).split(' ')[0] ?? 0)

/** A process with all its threads, by Linux's scheduler: exact, where the clock ticks of `stat` are ten milliseconds. */
function threadsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + runtimeOf(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

/** A server and every process PostgreSQL has at this moment. */
export function processorTime(pid: number, postmaster: number): ProcessorTime {
  const backends = read(`/proc/${postmaster}/task/${postmaster}/children`).split(' ').filter(Boolean).map(Number)
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
