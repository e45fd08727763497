import { type ComponentType, lazy, useSyncExternalStore } from 'react'

/** How to ask anew for each part that did not load: React remembers a failure for as long as the page lives. */
const failed = new Set<(quietly: boolean) => void>()
const listeners = new Set<() => void>()
let round = 0
let quietTries = 0

/** Is a part being tried again although nobody asked for it now? If it fails, the page must not go: somebody is using it. */
export const isTryingQuietly = (): boolean => quietTries > 0

/** `lazyPart(() => import('./menu.tsx').then((part) => part.Menu))`: `lazy`, but for `renewParts`. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const begin = (quietly: boolean) =>
    lazy(async () => {
      if (quietly) quietTries++
      try {
        return { default: await load() }
      } catch (error) {
        failed.add(renew)
        throw error
      } finally {
        if (quietly) quietTries--
      }
    })
  const renew = (quietly: boolean) => {
    Part = begin(quietly)
  }
  let Part = begin(false)
  return (props: P) => <Part {...props} />
}

/** Tries every part that failed once more, wherever on the page it is; one that did not load is asked for anew. */
export function renewParts({ quietly = false } = {}): void {
  for (const renew of failed) renew(quietly)
  failed.clear()
  round += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes with each `renewParts`: what stands in the place of a missing part gives way. */
export const useRound = (): number => useSyncExternalStore(subscribe, () => round)
