import { PENDING_SIGN_IN_TTL } from '@community/contract/limits'
import type { SignInIntent } from './dialogs.ts'
import { currentUser } from './session.ts'
import { tabStore } from './storage.ts'

const STORAGE_KEY = 'pendingCode'

/** A sign-in or registration that waits for its mailed code. */
export interface PendingCode {
  purpose: 'login' | 'register'
  email: string
  name: string
  expirationMinutes: number
  /** Unix time of the request in milliseconds. */
  requestedAt: number
  /** What opens after the sign-in. */
  intent?: SignInIntent | undefined
}

/** Stores it for this tab: a phone may discard the page while its user reads the mail. Not the password of a registration. */
export function storePendingCode({ purpose, email, name, expirationMinutes, requestedAt, intent }: PendingCode): void {
  const stored: PendingCode = { purpose, email, name, expirationMinutes, requestedAt, intent }
  tabStore.writeJson(STORAGE_KEY, stored)
}

export const removePendingCode = (): void => tabStore.remove(STORAGE_KEY)

/** Whether the server still waits for the code. */
export const isPending = ({ requestedAt }: Pick<PendingCode, 'requestedAt'>): boolean =>
  Date.now() < requestedAt + PENDING_SIGN_IN_TTL * 1000

/** The stored code, for as long as the server waits for one: its step can request another. Null if somebody is signed in. */
export function loadPendingCode(): PendingCode | null {
  // Only `storePendingCode` writes this key.
  const stored = tabStore.readJson(STORAGE_KEY) as PendingCode | null
  if (stored && !currentUser() && isPending(stored)) return stored
  removePendingCode()
  return null
}
