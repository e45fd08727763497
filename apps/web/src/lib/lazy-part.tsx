import { type ComponentType, lazy, useSyncExternalStore } from 'react'

/** How to ask anew for each part that did not load: React remembers a failure for as long as the page lives. */
const failed = new Set<() => void>()
const listeners = new Set<() => void>()
let round = 0

/** `lazyPart(() => import('./menu.tsx').then((part) => part.Menu))`: `lazy`, but for `renewParts`. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        failed.add(renew)
        throw error
      }
    })
  const renew = () => {
    Part = begin()
  }
  let Part = begin()
  return (props: P) => <Part {...props} />
}

/** Tries every part that failed once more, wherever on the page it is; one that did not load is asked for anew. */
export function renewParts(): void {
  for (const renew of failed) renew()
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
