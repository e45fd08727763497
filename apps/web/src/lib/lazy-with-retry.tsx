import { type ComponentType, lazy } from 'react'
import { createStore } from './store.ts'

/** How to ask anew for each part that did not load: React remembers a failure for as long as the page lives. */
const failed = new Set<(quietly: boolean) => void>()
let silentRetries = 0

/** Is a part being tried again although nobody asked for it now? If it fails, the page must not go: somebody is using it. */
export const isRetryingSilently = (): boolean => silentRetries > 0

/** `lazyWithRetry(() => import('./menu.tsx').then((part) => part.Menu))`: `lazy`, but `retryFailedImports` retries it. */
export function lazyWithRetry<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const begin = (quietly: boolean) =>
    lazy(async () => {
      if (quietly) silentRetries++
      try {
        return { default: await load() }
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

/** Tries every part that failed once more, wherever on the page it is; one that did not load is asked for anew. */
export function retryFailedImports({ quietly = false } = {}): void {
  for (const renew of failed) renew(quietly)
  failed.clear()
  useRetryCount.setState((count) => count + 1)
}

/** Changes with each `retryFailedImports`, so that error boundaries reset. */
export const useRetryCount = createStore(0)
