import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { issueCodeId } from './code-ids.ts'
import { findCooldown } from './codes.ts'
import { findAccount } from './find-account.ts'
import { EXPIRATION_MINUTES, limitMailing, mailCode } from './mail-code.ts'

type Forgot = typeof contract.auth.forgotPassword

/**
 * Mails a code to set a new password with; an account that only signed in through the external provider gets its first password
 * that way. Where there is no account, or a banned one, the answer is the same, in the same time, and nothing is mailed.
 */
export async function forgotPassword(ctx: VisitorContext, { email }: Parsed<Forgot>): Promise<Output<Forgot>> {
  await limitMailing(ctx)
  const match = await findAccount(ctx.db, email)
  const account = match?.isBanned ? undefined : match
  const isMailed = await mailCode(ctx, {
    purpose: 'reset',
    email: account?.email ?? email,
    ...(account ? { userId: account.id, language: account.language } : { instead: null }),
  })
  // Also while the cooldown runs: the code mailed before can still be entered.
  const resetId = issueCodeId(ctx, 'reset', email)
  if (!isMailed) throw new AppError(appErrors.codeTooSoon, { cooldown: await findCooldown(ctx.db, 'reset', email) })
  return { expirationMinutes: EXPIRATION_MINUTES, resetId }
}
