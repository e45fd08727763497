import { type ComponentType, lazy } from 'react'
import { createStore } from './store.ts'

/** What starts a retry. After Try Again a failure may reload the page (`vite:preloadError` in main.tsx), after `click` and `online` never. */
type RetryTrigger = 'try again' | 'click' | 'online'

/** Retries the imports that have failed, each by a new component: React would show the old one's failure for ever. */
const retryFailed = new Set<(trigger: RetryTrigger) => void>()
let backgroundLoads = 0
/** The background loads in `loadWithRetries`. */
let repeatedLoads = 0

const failedStyles = new Set<HTMLLinkElement>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  true,
)

/** Requests failed style sheets again: Vite adds the link of each only once, so a repeated `import()` would succeed without its styles. */
function retryFailedStyles(): void {
  for (const link of failedStyles) link.replaceWith(link.cloneNode())
  failedStyles.clear()
}
for (const event of ['online', 'click']) window.addEventListener(event, retryFailedStyles)

/** Times between attempts after the event `online`, in ms. There is a network then, but often no working connection yet. */
const RETRY_DELAYS_MS = [1000, 2000, 4000]

/** Resolves after this time, or at the next event `online`. */
const waitOrOnline = (ms: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
  })

async function loadWithRetries<T>(load: () => Promise<T>): Promise<T> {
  repeatedLoads++
  try {
    for (const delay of RETRY_DELAYS_MS)
      try {
        return await load()
      } catch {
        await waitOrOnline(delay)
        retryFailedStyles()
      }
    return await load()
  } finally {
    repeatedLoads--
  }
}

/** Whether anything is being loaded in the background: then the handler of `vite:preloadError` in main.tsx does not reload the page. */
export const isLoadingInBackground = (): boolean => backgroundLoads > 0

/** Imports something optional: null if it fails, and the page is not reloaded. */
export async function importInBackground<T>(load: () => Promise<T>): Promise<T | null> {
  backgroundLoads++
  try {
    return await load()
  } catch {
    return null
  } finally {
    backgroundLoads--
  }
}

/** `lazyWithRetry(() => import('./menu.tsx').then((part) => part.Menu))`: `lazy`, but `retryFailedImports` retries it. */
export function lazyWithRetry<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const createLazy = (trigger: RetryTrigger | 'first render') =>
    lazy(async () => {
      // A retry at `online` may also render a sibling for the first time, which shares the request that fails.
      const repeats = trigger === 'online' || (trigger === 'first render' && repeatedLoads > 0)
      const inBackground = repeats || trigger === 'click'
      if (inBackground) backgroundLoads++
      try {
        return { default: await (repeats ? loadWithRetries(load) : load()) }
      } catch (error) {
        retryFailed.add(replace)
        throw error
      } finally {
        if (inBackground) backgroundLoads--
      }
    })
  const replace = (trigger: RetryTrigger) => {
    Component = createLazy(trigger)
  }
  let Component = createLazy('first render')
  return (props: P) => <Component {...props} />
}

/** Retries all failed parts. */
export function retryFailedImports(trigger: RetryTrigger): void {
  for (const replace of retryFailed) replace(trigger)
  retryFailed.clear()
  useRetryCount.setState((count) => count + 1)
}

/** Changes with each `retryFailedImports`, so that error boundaries reset. */
export const useRetryCount = createStore(0)
