import { useState } from 'react'
import { tabStore } from './storage.ts'
import { createStore } from './store.ts'

/** Makes a hook like `useState` whose value is still there when its part mounts again, on the way back from the dashboard. */
export function memoryState<T>(initial: T): () => [value: T, change: (next: T) => void] {
  const useStore = createStore({ value: initial })
  const change = (value: T) => useStore.setState({ value })
  return () => [useStore().value, change]
}

/** One of several, at first the first, that outlives a reload: much of what is done for a team or a person reloads the page. */
export function useRememberedChoice<V extends string>(
  key: string,
  choices: readonly [V, ...V[]],
): [chosen: V, choose: (next: V) => void] {
  const [chosen, setChosen] = useState(() => choices.find((one) => one === tabStore.read(key)) ?? choices[0])
  const choose = (next: V) => {
    tabStore.write(key, next)
    setChosen(next)
  }
  return [chosen, choose]
}
