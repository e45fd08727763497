import { type ComponentType, lazy } from 'react'
import { createStore } from './store.ts'

/** Reloads each failed part: React caches a failed import for the lifetime of the page. */
const failed = new Set<(quietly: boolean) => void>()
let silentRetries = 0

const failedStyles = new Set<HTMLLinkElement>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  true,
)

/** Requests failed style sheets again: Vite adds the link of each once, and takes it for loaded the next time. */
function retryFailedStyles(): void {
  for (const link of failedStyles) link.replaceWith(link.cloneNode())
  failedStyles.clear()
}
for (const event of ['online', 'click']) window.addEventListener(event, retryFailedStyles)

/** Waits of a retry in the background, in ms. At `online` there is a network, but often no working connection yet. */
const RETRY_DELAYS_MS = [1000, 2000, 4000]

async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  for (const delay of RETRY_DELAYS_MS)
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay))
      retryFailedStyles()
    }
  return load()
}

/** Whether failed parts are being retried in the background. A failure then must not reload the page. */
export const isRetryingSilently = (): boolean => silentRetries > 0

/** Loads a part that nobody waits for: null if it fails, and the page is not reloaded then. */
export async function importQuietly<T>(load: () => Promise<T>): Promise<T | null> {
  silentRetries++
  try {
    return await load()
  } catch {
    return null
  } finally {
    silentRetries--
  }
}

/** `lazyWithRetry(() => import('./menu.tsx').then((part) => part.Menu))`: `lazy`, but `retryFailedImports` retries it. */
export function lazyWithRetry<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const begin = (quietly: boolean) =>
    lazy(async () => {
      if (quietly) silentRetries++
      try {
        return { default: await (quietly ? loadPatiently(load) : load()) }
      } catch (error) {
        failed.add(renew)
        throw error
      } finally {
        if (quietly) silentRetries--
      }
    })
  const renew = (quietly: boolean) => {
    Part = begin(quietly)
  }
  let Part = begin(false)
  return (props: P) => <Part {...props} />
}

/** Retries all failed parts. */
export function retryFailedImports({ quietly = false } = {}): void {
  for (const renew of failed) renew(quietly)
  failed.clear()
  useRetryCount.setState((count) => count + 1)
}

/** Changes with each `retryFailedImports`, so that error boundaries reset. */
export const useRetryCount = createStore(0)
