import { useEffect } from 'react'
import { type AccountTab, openDialog } from './dialogs.ts'
import { consumeHash } from './navigation/navigation.ts'
import { currentUser } from './session.ts'

/** The hashes of notifications about the account. */
const TABS = new Map<string, AccountTab>([
  ['#account-notifications', 'notifications'],
  ['#account-devices', 'devices'],
])

/** Opens the account settings that a hash links to; visitors sign in first. Returns false for any other hash. */
export function openAccountLink(hash: string): boolean {
  const tab = TABS.get(hash)
  if (tab === undefined) return false
  const dialog = { name: 'account', tab } as const
  openDialog(currentUser() ? dialog : { name: 'auth', mode: 'login', intent: dialog })
  return true
}

/** Follows such a hash once, when the page opens and later. */
export function useAccountLink(): void {
  useEffect(() => {
    const follow = () => {
      const { hash } = window.location
      if (openAccountLink(hash)) consumeHash(hash)
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
}
