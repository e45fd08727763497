/** Records the timers started from now on. The returned function waits for those that are due and clears the others. */
function recordTimers(): () => Promise<void> {
  const startTimeout = globalThis.setTimeout
  const timers = new Set<ReturnType<typeof setTimeout>>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = globalThis[name] as (...args: unknown[]) => ReturnType<typeof setTimeout>
    const record = (...args: unknown[]) => {
      const timer = start(...args)
      timers.add(timer)
      return timer
    }
    Object.assign(globalThis, { [name]: record })
  }
  return async () => {
    // tRPC's batch never starts another timer once its own is cleared.
    await new Promise((resolve) => startTimeout(resolve, 5))
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }
}

declare global {
  var endTimers: (() => Promise<void>) | undefined
}

/** Settles the test's timers. Recorded once per worker, as the setup runs for each of its files. */
export const endTimers = (globalThis.endTimers ??= recordTimers())
