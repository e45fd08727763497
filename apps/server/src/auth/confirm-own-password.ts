import { appErrors } from '@community/contract'
import type { PasswordContext, AuthenticatedContext, SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { limitWrongAttempts } from '../http/rate-limits.ts'
import type { UserRow } from '../users/account-queries.ts'
import { readDeviceCookie } from './device-cookie.ts'
import { limitAttempts, passwordFailureLimits } from './limit-attempts.ts'
import { isSignInRecent } from './token-queries.ts'

/** Verifies a password that the caller re-entered. Wrong attempts count as failed sign-ins. */
export async function verifyOwnPassword(
  ctx: AuthenticatedContext & PasswordContext,
  account: Pick<UserRow, 'id' | 'email' | 'passwordHash'>,
  password: string,
): Promise<boolean> {
  const deviceId = readDeviceCookie(ctx, account)
  await limitAttempts(ctx, deviceId && `device:${deviceId}`)
  const failureLimits = passwordFailureLimits(ctx, account.email, deviceId)
  return limitWrongAttempts(ctx.db, failureLimits, () => ctx.deps.passwords.verify(account.passwordHash, password))
}

/** Throws unless the caller proves to be the owner: by the password, or for an account without one by a sign-in in the last ten minutes. */
export async function confirmOwner(
  ctx: SessionContext & PasswordContext,
  account: UserRow,
  currentPassword: string | undefined,
): Promise<void> {
  if (account.passwordHash === null) {
    if (!(await isSignInRecent(ctx.db, ctx.user.familyId))) throw new AppError(appErrors.signInTooOld)
    return
  }
  if (currentPassword === undefined) throw new AppError(appErrors.currentPasswordRequired)
  if (!(await verifyOwnPassword(ctx, account, currentPassword))) throw new AppError(appErrors.wrongCurrentPassword)
}
