import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { ipKey } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { consumeRateLimit, tryConsumeRateLimit } from '../http/rate-limits.ts'
import type { CodePurpose } from './code-queries.ts'
import { emailKey } from './email-key.ts'

const UNAUTHENTICATED_PURPOSES = new Set<CodePurpose>(['registration', 'reset'])

const DAILY_PER_IP = { max: limits.UNSOLICITED_MAILS_PER_DAY.perIp, seconds: limits.DAY }
const DAILY_TOTAL = { max: limits.UNSOLICITED_MAILS_PER_DAY.total, seconds: limits.DAY }
/** Afterwards one per hour, so that the mailbox's owner still receives a code. */
const HOURLY_AFTER_TOTAL = { max: 1, seconds: limits.HOUR }

/**
 * Counts a mail requested without authentication, per mailbox (in any spelling) and purpose, whether or not the account exists; throws
 * above the limits. One IP address can use up half of the daily total, and many together cannot block the mailbox for a day.
 */
export async function limitUnsolicitedMails(
  tx: Tx,
  { request }: Pick<Context, 'request'>,
  { purpose, email }: { purpose: CodePurpose; email: string },
): Promise<void> {
  if (!UNAUTHENTICATED_PURPOSES.has(purpose)) return
  const key = `unasked-mails:${purpose}:${emailKey(email)}`
  await consumeRateLimit(tx, `${key}:${ipKey(request.ip)}`, DAILY_PER_IP)
  const { isConsumed } = await tryConsumeRateLimit(tx, key, DAILY_TOTAL)
  if (!isConsumed) await consumeRateLimit(tx, `${key}:hour`, HOURLY_AFTER_TOTAL)
}
