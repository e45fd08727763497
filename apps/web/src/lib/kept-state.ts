import { useState } from 'react'

const forgetters: (() => void)[] = []

/** Makes a hook like `useState` whose value is there again when its part is drawn anew: on the way back from the dashboard. A reload begins anew. */
export function keptState<T>(first: T): () => [value: T, change: (next: T) => void] {
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
export function forgetKept(): void {
  for (const forget of forgetters) forget()
}
