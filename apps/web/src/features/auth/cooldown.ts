import { MINUTE, OTP_COOLDOWN } from '@community/contract/limits'
import { tabStore } from '../../lib/storage.ts'
import { createSignal } from '../../lib/store.ts'
import { useNow } from '../../lib/use-now.ts'

export type CodePurpose = 'login' | 'register' | 'reset'

const cooldownChange = createSignal()
// What is kept outlives the modal and the page: neither coming back nor a reload shortens or lengthens the server's wait.
const keyOf = (purpose: CodePurpose, email: string) => `resendAt ${purpose} ${email.trim().toLowerCase()}`

/** A code was mailed, or the server named the wait: no other may be asked for during so many seconds. */
export function startCooldown(purpose: CodePurpose, email: string, seconds: number = OTP_COOLDOWN): void {
  tabStore.write(keyOf(purpose, email), String(Date.now() + seconds * 1000))
  cooldownChange.emit()
}

/** The code that was mailed last has expired: the wait, which is shorter, is over, whatever is kept here. */
export function endCooldown(purpose: CodePurpose, email: string): void {
  tabStore.drop(keyOf(purpose, email))
  cooldownChange.emit()
}

/** Whole seconds until another code may be asked for. */
export function secondsLeft(purpose: CodePurpose, email: string): number {
  const endsAt = Number(tabStore.read(keyOf(purpose, email))) || 0
  return Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))
}

/** For the code that comes by itself: within a wait that runs already nothing new is mailed, and the wait goes on. */
export function startCooldownOnce(purpose: CodePurpose, email: string): void {
  if (secondsLeft(purpose, email) === 0) startCooldown(purpose, email)
}

/** Minutes as the waiting button shows them: rounded up. */
export const toMinutes = (seconds: number): number => Math.ceil(seconds / MINUTE)

const TICK_MS = 1000

/** Whole minutes until another code may be asked for, counted down; 0 when it may. */
export function useCooldownMinutes(purpose: CodePurpose, email: string): number {
  useNow(TICK_MS)
  return cooldownChange.use(() => toMinutes(secondsLeft(purpose, email)))
}

/** Whether a moment is over, checked each second. */
export const useIsPast = (moment: number): boolean => useNow(TICK_MS) >= moment
