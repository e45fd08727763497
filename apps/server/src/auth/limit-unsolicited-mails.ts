import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { addressKey } from '../http/client-address.ts'
import type { Context } from '../context.ts'
import { takeSlotOrThrow, takeSlot } from '../http/rate-limits.ts'
import { emailKey } from './blacklist.ts'
import type { CodePurpose } from './codes.ts'

const UNAUTHENTICATED_PURPOSES = new Set<CodePurpose>(['registration', 'reset'])

/** Mails a day that anybody can have sent to one mailbox by typing its address: from one place, and from all of them. */
const DAILY_PER_ADDRESS = { max: 10, seconds: limits.DAY }
const DAILY_TOTAL = { max: 20, seconds: limits.DAY }
/** Then the mailbox still gets one an hour: whoever asked for it, the code in it is its owner's to use. */
const HOURLY_AFTER_TOTAL = { max: 1, seconds: limits.HOUR }

/**
 * Counts a mail that nobody has proven to want, in whatever spelling its address came, with or without an account; refuses one too
 * many. A stranger at one place leaves the owner's own asking half of the day's, and strangers at many never end it for the day.
 * Each purpose has its own count: asking to register uses no reset up.
 */
export async function limitUnsolicitedMails(
  tx: Tx,
  { request }: Pick<Context, 'request'>,
  { purpose, email }: { purpose: CodePurpose; email: string },
): Promise<void> {
  if (!UNAUTHENTICATED_PURPOSES.has(purpose)) return
  const key = `unasked-mails:${purpose}:${emailKey(email)}`
  await takeSlotOrThrow(tx, `${key}:${addressKey(request.address)}`, DAILY_PER_ADDRESS)
  const { isTaken } = await takeSlot(tx, key, DAILY_TOTAL)
  if (!isTaken) await takeSlotOrThrow(tx, `${key}:hour`, HOURLY_AFTER_TOTAL)
}
