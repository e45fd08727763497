import { create, type StoreApi, type UseBoundStore } from 'zustand'

const stores: StoreApi<unknown>[] = []

/** State that lives outside React, as long as the page: `useX()` reads it in a component, `useX.setState(next, true)` replaces it anywhere. */
export function createStore<T>(initial: T): UseBoundStore<StoreApi<T>> {
  const store = create<T>()(() => initial)
  stores.push(store)
  return store
}

/** For tests: each is a visit of its own. */
export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true)
}
