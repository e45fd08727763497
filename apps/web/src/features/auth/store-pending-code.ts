import { PENDING_CODE_KEY, type PendingCode } from '../../lib/pending-code.ts'
import { tabStore } from '../../lib/storage.ts'

/** Stores it for this tab: a phone may discard the page while its user reads the mail. Not the password of a registration. */
export function storePendingCode({ purpose, email, name, expirationMinutes, requestedAt, intent }: PendingCode): void {
  const stored: PendingCode = { purpose, email, name, expirationMinutes, requestedAt, intent }
  tabStore.writeJson(PENDING_CODE_KEY, stored)
}
