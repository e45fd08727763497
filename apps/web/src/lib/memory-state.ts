import { useState } from 'react'
import { currentUser } from './session.ts'
import { tabStore } from './storage.ts'
import { createStore } from './store.ts'

/** Creates a hook like `useState` whose value survives unmounting, such as a visit to the dashboard. */
export function memoryState<T>(initial: T): () => [value: T, change: (next: T) => void] {
  const useStore = createStore({ value: initial })
  const change = (value: T) => useStore.setState({ value })
  return () => [useStore().value, change]
}

/** Stores what `useRememberedChoice` returns next. */
export const rememberChoice = (key: string, choice: string): void => tabStore.write(key, choice)

/** A choice that survives reloads, by default the first: many actions on teams and users reload the page. */
export function useRememberedChoice<V extends string>(
  key: string,
  choices: readonly [V, ...V[]],
): [chosen: V, choose: (next: V) => void] {
  const [chosen, setChosen] = useState(() => choices.find((one) => one === tabStore.read(key)) ?? choices[0])
  const choose = (next: V) => {
    rememberChoice(key, next)
    setChosen(next)
  }
  return [chosen, choose]
}

/** A text that this tab keeps for the signed-in user: survives unmounting, reloads and the end of the session. Null if there is none. */
export function useUserDraft(name: string): [text: string | null, change: (next: string | null) => void] {
  const [key] = useState(() => `${name} ${currentUser()?.id ?? ''}`)
  const [text, setText] = useState(() => tabStore.read(key))
  const change = (next: string | null) => {
    if (next === null) tabStore.remove(key)
    else tabStore.write(key, next)
    setText(next)
  }
  return [text, change]
}
