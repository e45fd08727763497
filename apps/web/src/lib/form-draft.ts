import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { currentUser, userOfEndedSession } from './session.ts'
import { tabStore } from './storage.ts'

interface StoredDraft {
  changes: object
  /** Whether the end of the session closed the form, not the user. */
  isInterrupted: boolean
}

const storageKey = (userId: string, name: string): string => `formDraft ${userId} ${name}`

function readDraft(name: string): StoredDraft | null {
  const user = currentUser()
  // Only `useStoredDraft` writes this key.
  return user && (tabStore.readJson(storageKey(user.id, name)) as StoredDraft | null)
}

/** Only the changed fields: somebody else may edit the others before the form opens again. */
export function findChanges<T extends object>(saved: object, values: T): Partial<T> | null {
  const before: Record<string, unknown> = { ...saved }
  const changes = Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
  return changes.length === 0 ? null : (Object.fromEntries(changes) as Partial<T>)
}

/** What the signed-in user had changed in this form when it closed; null if that is what is saved by now. */
export function loadDraft<T extends object>(name: string, saved: T): Partial<T> | null {
  const draft = readDraft(name)
  return draft && findChanges(saved, Object.assign({}, saved, draft.changes))
}

/** Whether the session of the signed-in user ended while they edited this form. */
export const wasInterrupted = (name: string): boolean => readDraft(name)?.isInterrupted ?? false

/**
 * Stores the changes of a form for this user and tab when it closes, and when the page is hidden: a reload unmounts nothing, and phones
 * discard pages in the background. They are restored once.
 */
export function useStoredDraft(name: string, saved: RefObject<object>, getValues: () => object): void {
  const [userId] = useState(() => currentUser()?.id)
  const store = useEffectEvent((key: string) => {
    const changes = findChanges(saved.current, getValues())
    const isInterrupted = !currentUser() && userOfEndedSession() === userId
    if (changes) tabStore.writeJson(key, { changes, isInterrupted } satisfies StoredDraft)
    else tabStore.remove(key)
  })
  useEffect(() => {
    if (userId === undefined) return undefined
    const key = storageKey(userId, name)
    tabStore.remove(key)
    const onVisibility = () => store(key)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      store(key)
    }
  }, [name, userId])
}
