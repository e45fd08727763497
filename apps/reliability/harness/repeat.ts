import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats some work until the signal is aborted, pausing for so many milliseconds; resolves with all results. */
export async function repeat<T>(signal: AbortSignal, work: (round: number) => Promise<T>, pause = 0): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; !signal.aborted; round++) {
    results.push(await work(round))
    if (pause > 0) await sleep(pause)
  }
  return results
}

/** Resolves with the milliseconds until a condition held; throws that it did not after `timeout` milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeout = 60_000): Promise<number> {
  const startedAt = performance.now()
  for (; !(await holds()); await sleep(10))
    if (performance.now() > startedAt + timeout) throw new Error(`not within ${timeout} ms: ${what}`)
  return performance.now() - startedAt
}
