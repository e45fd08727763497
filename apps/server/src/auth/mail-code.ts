import { limits } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { sql } from 'drizzle-orm'
import { limitsOfAddress } from '../http/client-address.ts'
import type { Context } from '../context.ts'
import { type MailTemplate, queueDecoyMail, queueMail } from '../jobs/mail.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { takeSlotsOrThrow } from '../http/rate-limits.ts'
import { type CodeRequest, issueCode } from './codes.ts'
import { limitUnsolicitedMails } from './limit-unsolicited-mails.ts'

export const EXPIRATION_MINUTES = limits.OTP_TTL / limits.MINUTE

/** Calls that mail something, per address: a campus shares one, a flood does not fit through. */
const MAILING = { max: 300, seconds: limits.HOUR }

export const limitMailing = ({ db, request }: Context): Promise<void> =>
  takeSlotsOrThrow(db, limitsOfAddress('mailing', request.address, MAILING))

export interface MailedCode extends CodeRequest {
  /** What is mailed in place of the code; null for nothing at all. */
  instead?: MailTemplate | null
  language?: Context['request']['language']
}

/** What must still be true when the code is issued; refuses by throwing. */
export type Recheck = (tx: Tx) => Promise<void>
const noRecheck: Recheck = () => Promise.resolve()

/** Issues a code and queues its mail, in one transaction of its own. False while the cooldown runs: then nothing was mailed. */
export async function mailCode(ctx: Context, request: MailedCode, recheck = noRecheck): Promise<boolean> {
  const isMailed = await inTransaction(ctx.db, async (tx) => {
    const isIssued = await issueAndQueue(tx, ctx, request)
    // After the code's row is locked: whoever changes a password takes the two in this order.
    await recheck(tx)
    return isIssued
  })
  if (isMailed) wakeWorkers(ctx.db)
  return isMailed
}

async function issueAndQueue(tx: Tx, { deps, request }: Context, mailedCode: MailedCode): Promise<boolean> {
  const code = await issueCode(tx, deps, mailedCode)
  if (code === null) return false
  // Counted where nothing is mailed too: one too many must not tell who has an account.
  await limitUnsolicitedMails(tx, { request }, mailedCode)
  const queue = mailedCode.instead === null ? queueDecoyMail : queueMail
  await queue(tx, deps, {
    template: mailedCode.instead ?? `code-${mailedCode.purpose}`,
    to: mailedCode.email,
    language: mailedCode.language ?? request.language,
    values: mailedCode.instead ? {} : { code },
    ...(!mailedCode.instead && { expiresAt: sql`now() + make_interval(secs => ${limits.OTP_TTL})` }),
  })
  return true
}
