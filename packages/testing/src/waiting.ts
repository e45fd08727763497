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

type Awaitable<T> = T | Promise<T>

/** Waits until something is found and resolves with it; throws after `timeout` milliseconds. */
export async function untilFound<T>(what: string, find: () => Awaitable<T | undefined>, timeout = 60_000): Promise<T> {
  for (const end = performance.now() + timeout; ; await sleep(10)) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`not within ${timeout} ms: ${what}`)
  }
}

/** Waits until a condition holds; resolves with the milliseconds, throws after `timeout` milliseconds. */
export async function until(what: string, holds: () => Awaitable<boolean>, timeout?: number): Promise<number> {
  const startedAt = performance.now()
  await untilFound(what, async () => (await holds()) || undefined, timeout)
  return performance.now() - startedAt
}
