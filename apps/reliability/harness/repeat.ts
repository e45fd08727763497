import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats `work` until the signal is aborted, with `pause` milliseconds between; resolves with all results. */
export async function repeat<T>(signal: AbortSignal, work: (round: number) => Promise<T>, pause = 0): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; !signal.aborted; round++) {
    results.push(await work(round))
    if (pause > 0) await sleep(pause)
  }
  return results
}

/** Waits until a condition holds; resolves with the milliseconds, throws after `timeout` milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeout = 60_000): Promise<number> {
  const startedAt = performance.now()
  for (; !(await holds()); await sleep(10))
    if (performance.now() > startedAt + timeout) throw new Error(`not within ${timeout} ms: ${what}`)
  return performance.now() - startedAt
}
