import type { SignInIntent } from './dialogs.ts'
import { currentHash } from './navigation/navigation.ts'
import { SIGN_IN_RETURN_KEY, type SignInReturn, takeSignInReturn } from './sign-in-intent.ts'
import { tabStore } from './storage.ts'

/** Longer than an external sign-in takes, so that the next person at a shared device does not inherit it. */
const TTL_MS = 15 * 60_000

function writeSignInReturn({ hash, intent }: Omit<SignInReturn, 'expiresAt'>): void {
  tabStore.writeJson(SIGN_IN_RETURN_KEY, { hash, intent, expiresAt: Date.now() + TTL_MS } satisfies SignInReturn)
}

/** Stores the place and the intent for this tab before the page is left for the external provider. */
export function storeSignInReturn(intent: SignInIntent | undefined): void {
  writeSignInReturn({ hash: currentHash(), intent })
}

/** Starts the time to live of what is stored again: for another attempt at the external provider, or for the page after it. */
export function renewSignInReturn(): void {
  writeSignInReturn(takeSignInReturn() ?? { hash: '' })
}
