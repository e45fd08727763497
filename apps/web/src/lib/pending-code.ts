import { PENDING_SIGN_IN_TTL } from '@community/contract/limits'
import type { SignInIntent } from './dialogs.ts'
import { currentUser } from './session.ts'
import { tabStore } from './storage.ts'

export const PENDING_CODE_KEY = 'pendingCode'

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

export const removePendingCode = (): void => tabStore.remove(PENDING_CODE_KEY)

/** Whether the server still waits for the code. */
export const isPending = ({ requestedAt }: Pick<PendingCode, 'requestedAt'>): boolean =>
  Date.now() < requestedAt + PENDING_SIGN_IN_TTL * 1000

/** The stored code, for as long as the server waits for one: its step can request another. Null if somebody is signed in. */
export function loadPendingCode(): PendingCode | null {
  // Only `storePendingCode` writes this key.
  const stored = tabStore.readJson(PENDING_CODE_KEY) as PendingCode | null
  if (stored && !currentUser() && isPending(stored)) return stored
  removePendingCode()
  return null
}
