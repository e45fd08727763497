import { useState } from 'react'
import { tabStore } from './storage.ts'

const forgetters: (() => void)[] = []

/** Makes a hook like `useState` whose value is there again when its part is drawn anew: on the way back from the dashboard. A reload begins anew. */
export function memoryState<T>(first: T): () => [value: T, change: (next: T) => void] {
  let kept = first
  forgetters.push(() => {
    kept = first
  })
  return function useKept() {
    const [value, setValue] = useState(kept)
    const change = (next: T) => {
      kept = next
      setValue(() => next)
    }
    return [value, change]
  }
}

/** All of it is as at first: each test is a visit of its own. */
export function resetMemoryState(): void {
  for (const forget of forgetters) forget()
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
