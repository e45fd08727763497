/** Resolves after `ms`, or at once when the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve())
  })
