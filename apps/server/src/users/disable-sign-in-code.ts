import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { confirmOwner } from '../auth/confirm-own-password.ts'
import { readDevice } from '../auth/set-password.ts'
import type { PasswordContext, AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-values.ts'
import { queueMail } from '../jobs/mail.ts'
import { assertSession } from '../personal-tokens/assert-scope.ts'
import { disableSignInCode } from './commands.ts'
import { findAccountById } from './account-queries.ts'
import { lockActiveUser } from './lock-user.ts'

/** Disables the sign-in code in a transaction and mails the owner. Returns false if it is already disabled. */
type DisableSignInCode = (tx: Tx) => Promise<boolean>

/**
 * Requires a session and, while the code is enabled, proof that the caller owns the account. The returned function throws if the password
 * changed in between.
 */
export async function confirmDisablingSignInCode(
  ctx: AuthenticatedContext & PasswordContext,
  currentPassword: string | undefined,
): Promise<DisableSignInCode> {
  assertSession(ctx)
  const account = await findAccountById(ctx.db, ctx.user.id)
  if (!account) throw new AppError(appErrors.notSignedIn)
  if (account.signInOtp) await confirmOwner(ctx, account, currentPassword)
  const device = await readDevice(ctx)
  return async (tx) => {
    const locked = await lockActiveUser(tx, account.id, 'no key update')
    if (!locked.signInOtp) return false
    // It was enabled after the first read, so nothing was confirmed.
    if (!account.signInOtp) throw new AppError(appErrors.currentPasswordRequired)
    if (locked.passwordHash !== account.passwordHash) throw new AppError(appErrors.wrongCurrentPassword)
    const { email: to, language } = locked
    const values = deviceValues(language, device, new Date())
    await queueMail(tx, ctx.deps, { template: 'sign-in-code-off', to, language, values })
    await disableSignInCode(tx, account.id)
    return true
  }
}
