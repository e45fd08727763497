import { MINUTE, CODE_COOLDOWN } from '@community/contract/limits'
import { tabStore } from '../../lib/storage.ts'
import { createSignal } from '../../lib/store.ts'
import { useNow } from '../../lib/use-now.ts'

export type CodePurpose = 'login' | 'register' | 'reset'

const cooldownChange = createSignal()
// Stored, as neither reopening the modal nor reloading the page changes the server's cooldown.
const keyOf = (purpose: CodePurpose, email: string) => `resendAt ${purpose} ${email.trim().toLowerCase()}`

/** Starts the cooldown after a code was mailed or the server named the seconds to wait. */
export function startCooldown(purpose: CodePurpose, email: string, seconds: number = CODE_COOLDOWN): void {
  tabStore.write(keyOf(purpose, email), String(Date.now() + seconds * 1000))
  cooldownChange.emit()
}

/** Ends the cooldown. Called when the code has expired, which takes longer than the cooldown. */
export function endCooldown(purpose: CodePurpose, email: string): void {
  tabStore.remove(keyOf(purpose, email))
  cooldownChange.emit()
}

/** Whole seconds until another code may be requested. */
export function secondsLeft(purpose: CodePurpose, email: string): number {
  const endsAt = Number(tabStore.read(keyOf(purpose, email))) || 0
  return Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))
}

/** For a code that is mailed without a request: during a running cooldown the server mails none, so keep it. */
export function startCooldownOnce(purpose: CodePurpose, email: string): void {
  if (secondsLeft(purpose, email) === 0) startCooldown(purpose, email)
}

/** Minutes as the button shows them: rounded up. */
const toMinutes = (seconds: number): number => Math.ceil(seconds / MINUTE)

const TICK_MS = 1000

/** Whole minutes until another code may be requested, counting down to 0. */
export function useCooldownMinutes(purpose: CodePurpose, email: string): number {
  useNow(TICK_MS)
  return cooldownChange.use(() => toMinutes(secondsLeft(purpose, email)))
}

/** Whether a time has passed, checked every second. */
export const useIsPast = (moment: number): boolean => useNow(TICK_MS) >= moment
