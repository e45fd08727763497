import { useEffect, useRef } from 'react'
import { useAction } from '../lib/action.ts'
import type { Language } from '../lib/i18n.ts'
import { trpcClient } from '../lib/trpc.ts'

/** Stores each choice of a language in the account of the signed-in user. A component, because actions are not in the first load. */
export function StoreLanguage({ choice }: { choice: { language: Language } }) {
  // Mutations of one scope run in order, so the last choice is stored last.
  const { run } = useAction(trpcClient.users.updateProfile, { invalidates: ['users'], scope: 'language' })
  const stored = useRef<object>(null)
  useEffect(() => {
    if (stored.current === choice) return
    stored.current = choice
    void run({ language: choice.language })
  }, [choice, run])
  return null
}
