import { type contract, appErrors } from '@community/contract'
import type { Context, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { isBlacklisted, findAccountByEmail } from './account-queries.ts'
import { findCooldown } from './code-queries.ts'
import { issueCodeId } from './code-ids.ts'
import { assertNotCommonPassword } from './common-passwords.ts'
import { EXPIRATION_MINUTES, findExpirationMinutes, limitMailRequests, mailCode } from './mail-code.ts'

/** Mails a registration code. The owner of an existing account is notified by mail instead; the response does not reveal it. */
async function mailRegistrationCode(ctx: Context, email: string): Promise<boolean> {
  await limitMailRequests(ctx)
  if (await isBlacklisted(ctx.db, email)) throw new AppError(appErrors.emailRefused)
  const account = await findAccountByEmail(ctx.db, email)
  return mailCode(ctx, {
    purpose: 'registration',
    email,
    ...(account && { instead: 'already-registered' as const, language: account.language }),
  })
}

/** Starts a registration. Only the code is stored: `verifyRegistration` receives the account's fields again. */
export const register: UseCase<typeof contract.auth.register> = async (ctx, input) => {
  const { name, email, password } = input
  assertNotCommonPassword(ctx.deps.config, password)
  const isMailed = await mailRegistrationCode(ctx, email)
  const registrationId = issueCodeId(ctx, 'registration', email)
  const expirationMinutes = await findExpirationMinutes(ctx, { purpose: 'registration', email }, isMailed)
  return { requiresOTP: true, email, name, expirationMinutes, registrationId }
}

export const resendRegistrationOtp: UseCase<typeof contract.auth.resendRegistrationOtp> = async (ctx, { email }) => {
  if (!(await mailRegistrationCode(ctx, email)))
    throw new AppError(appErrors.codeTooSoon, { cooldown: await findCooldown(ctx.db, 'registration', email) })
  return { expirationMinutes: EXPIRATION_MINUTES }
}
