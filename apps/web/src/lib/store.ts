import { useCallback, useSyncExternalStore } from 'react'
import { create, type StoreApi, type UseBoundStore } from 'zustand'

const stores: StoreApi<unknown>[] = []

/** State outside React that lives as long as the page: `useX()` reads it in a component, `useX.setState(next, true)` replaces it anywhere. */
export function createStore<T>(initial: T): UseBoundStore<StoreApi<T>> {
  const store = create<T>()(() => initial)
  stores.push(store)
  return store
}

/**
 * Announces changes of a value that lives elsewhere, such as in Web Storage: `emit()` after a change, `use(read)` reads the
 * value in a component.
 */
export function createSignal() {
  const useSignal = create<object>()(() => ({}))
  return {
    emit: () => useSignal.setState({}, true),
    /** Returns a function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => useSignal.subscribe(listener),
    use: <T>(read: () => T): T => useSignal(() => read()),
  }
}

/** Reads a value that lives elsewhere in a component, again when `subscribe` announces a change. Keep `subscribe` the same between renders. */
export const useExternalValue = <T>(subscribe: (onChange: () => void) => () => void, read: () => T): T =>
  useSyncExternalStore(subscribe, read)

/** Reads a value of the browser in a component, again at each of these events. */
export function useBrowserValue<T>(target: EventTarget | null, events: readonly string[], read: () => T): T {
  const subscribe = useCallback(
    (onChange: () => void) => {
      for (const name of events) target?.addEventListener(name, onChange)
      return () => {
        for (const name of events) target?.removeEventListener(name, onChange)
      }
    },
    [target, events],
  )
  return useExternalValue(subscribe, read)
}

/** Between tests. */
export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true)
}
