import { limits } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { limitsPerIp } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { type MailTemplate, queueDecoyMail, queueMail } from '../jobs/mail.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { consumeRateLimits } from '../http/rate-limits.ts'
import { findSecondsToExpiry } from './code-queries.ts'
import { type CodeRequest, issueCode } from './codes.ts'
import { limitUnsolicitedMails } from './limit-unsolicited-mails.ts'

export const EXPIRATION_MINUTES = limits.CODE_TTL / limits.MINUTE

const MAIL_REQUESTS = { max: limits.MAIL_REQUESTS_PER_HOUR, seconds: limits.HOUR }

export const limitMailRequests = ({ db, request }: Context): Promise<void> =>
  consumeRateLimits(db, limitsPerIp('mailing', request.ip, MAIL_REQUESTS))

interface MailedCode extends CodeRequest {
  /** The template to mail instead of the code; null mails nothing. */
  instead?: MailTemplate | null
  language?: Context['request']['language']
}

/** Checks a precondition again under the lock of the code; throws if it no longer holds. */
type Recheck = (tx: Tx) => Promise<unknown>
const noRecheck: Recheck = () => Promise.resolve()

/** Issues a code and queues its mail in one transaction. Returns false during the cooldown, when nothing is mailed. */
export async function mailCode(ctx: Context, request: MailedCode, recheck = noRecheck): Promise<boolean> {
  const isMailed = await inTransaction(ctx.db, async (tx) => {
    const isIssued = await issueAndQueue(tx, ctx, request)
    // After the code's row is locked, the same lock order as a password change.
    await recheck(tx)
    return isIssued
  })
  if (isMailed) wakeWorkers()
  return isMailed
}

/** Minutes, rounded, until the code of an email expires. `isMailed`: just now; otherwise an earlier one is still valid. */
export async function findExpirationMinutes(
  { db }: Context,
  { purpose, email }: Pick<CodeRequest, 'purpose' | 'email'>,
  isMailed: boolean,
): Promise<number> {
  if (isMailed) return EXPIRATION_MINUTES
  return Math.round((await findSecondsToExpiry(db, purpose, email)) / limits.MINUTE)
}

async function issueAndQueue(tx: Tx, { deps, request }: Context, mailedCode: MailedCode): Promise<boolean> {
  const code = await issueCode(tx, deps, mailedCode)
  if (code === null) return false
  // Counted even if nothing is mailed, so that the limit does not reveal who has an account.
  await limitUnsolicitedMails(tx, { request }, mailedCode)
  const queue = mailedCode.instead === null ? queueDecoyMail : queueMail
  await queue(tx, deps, {
    template: mailedCode.instead ?? `code-${mailedCode.purpose}`,
    to: mailedCode.email,
    language: mailedCode.language ?? request.language,
    values: mailedCode.instead ? {} : { code },
    ...(!mailedCode.instead && { ttl: limits.CODE_TTL }),
  })
  return true
}
