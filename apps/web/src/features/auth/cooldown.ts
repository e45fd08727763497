import { MINUTE, OTP_COOLDOWN } from '@community/contract/limits'
import { useSyncExternalStore } from 'react'

export type CodePurpose = 'login' | 'register' | 'reset'

// Outlives the modal: closing it and coming back does not shorten the server's wait.
const endsAt = new Map<string, number>()
const listeners = new Set<() => void>()
const keyOf = (purpose: CodePurpose, email: string) => `${purpose} ${email.trim().toLowerCase()}`

/** A code was mailed, or the server named the wait: no other may be asked for during so many seconds. */
export function startCooldown(purpose: CodePurpose, email: string, seconds: number = OTP_COOLDOWN): void {
  endsAt.set(keyOf(purpose, email), Date.now() + seconds * 1000)
  for (const listener of listeners) listener()
}

/** Whole seconds until another code may be asked for. */
export function secondsLeft(purpose: CodePurpose, email: string): number {
  const end = endsAt.get(keyOf(purpose, email)) ?? 0
  return Math.max(0, Math.ceil((end - Date.now()) / 1000))
}

/** For the code that comes by itself: within a wait that runs already nothing new is mailed, and the wait goes on. */
export function startCooldownOnce(purpose: CodePurpose, email: string): void {
  if (secondsLeft(purpose, email) === 0) startCooldown(purpose, email)
}

/** Minutes as the waiting button shows them: rounded up. */
export const asMinutes = (seconds: number): number => Math.ceil(seconds / MINUTE)

const TICK_MS = 1000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK_MS)
  listeners.add(onChange)
  return () => {
    clearInterval(timer)
    listeners.delete(onChange)
  }
}

/** Whole minutes until another code may be asked for, counted down; 0 when it may. */
export function useCooldownMinutes(purpose: CodePurpose, email: string): number {
  return useSyncExternalStore(subscribe, () => asMinutes(secondsLeft(purpose, email)))
}
