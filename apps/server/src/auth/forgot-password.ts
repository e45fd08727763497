import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { issueCodeId } from './code-ids.ts'
import { findAccountByEmail } from './account-queries.ts'
import { findCooldown } from './code-queries.ts'
import { EXPIRATION_MINUTES, limitMailRequests, mailCode } from './mail-code.ts'

/**
 * Mails a password reset code; accounts of the external provider get their first password this way. Without an account, or for a banned
 * one, the response and its timing are the same and nothing is mailed.
 */
export const forgotPassword: UseCase<typeof contract.auth.forgotPassword> = async (ctx, { email }) => {
  await limitMailRequests(ctx)
  const match = await findAccountByEmail(ctx.db, email)
  const account = match?.isBanned ? undefined : match
  const isMailed = await mailCode(ctx, {
    purpose: 'reset',
    email: account?.email ?? email,
    ...(account ? { userId: account.id, language: account.language } : { instead: null }),
  })
  // Also during the cooldown: the code mailed before is still valid.
  const resetId = issueCodeId(ctx, 'reset', email)
  if (!isMailed) throw new AppError(appErrors.codeTooSoon, { cooldown: await findCooldown(ctx.db, 'reset', email) })
  return { expirationMinutes: EXPIRATION_MINUTES, resetId }
}
