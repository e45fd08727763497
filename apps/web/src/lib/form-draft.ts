import { useEffect, useState } from 'react'
import { currentUser, userOfEndedSession } from './session.ts'
import { tabStore } from './storage.ts'

const storageKey = (userId: string, name: string): string => `formDraft ${userId} ${name}`

/** What the signed-in user had changed in this form when their session ended; null if nothing. */
export function loadDraft<T extends object>(name: string): Partial<T> | null {
  const user = currentUser()
  // Only `useDraft` writes this key.
  return user && (tabStore.readJson(storageKey(user.id, name)) as Partial<T> | null)
}

/** Only the changed fields: somebody else may edit the others before the form opens again. */
function findChanges(initial: object, values: object): object | null {
  const before: Record<string, unknown> = { ...initial }
  const changes = Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
  return changes.length === 0 ? null : Object.fromEntries(changes)
}

/** Stores the changes of a form for this user and tab if it closes because the session has ended. They are restored once. */
export function useDraft(name: string | undefined, initialValues: object, getValues: () => object): void {
  const [userId] = useState(() => currentUser()?.id)
  const [initial] = useState(initialValues)
  useEffect(() => {
    if (name === undefined || userId === undefined) return undefined
    const key = storageKey(userId, name)
    tabStore.remove(key)
    return () => {
      const changes = findChanges(initial, getValues())
      if (changes && !currentUser() && userOfEndedSession() === userId) tabStore.writeJson(key, changes)
    }
  }, [name, userId, initial, getValues])
}
