import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats some work until the signal is aborted, pausing for so many milliseconds; resolves with all results. */
export async function repeat<T>(signal: AbortSignal, work: (turn: number) => Promise<T>, pause = 0): Promise<T[]> {
  const results: T[] = []
  for (let turn = 0; !signal.aborted; turn++) {
    results.push(await work(turn))
    if (pause > 0) await sleep(pause)
  }
  return results
}

/** Resolves with the milliseconds until a condition held; throws that it did not after `timeout` milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeout = 60_000): Promise<number> {
  const began = performance.now()
  for (; !(await holds()); await sleep(10))
    if (performance.now() > began + timeout) throw new Error(`not within ${timeout} ms: ${what}`)
  return performance.now() - began
}
