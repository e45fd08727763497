import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { users } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { confirmOwner } from '../auth/confirm-own-password.ts'
import { readDevice } from '../auth/set-password.ts'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-words.ts'
import { queueMail } from '../jobs/mail.ts'
import { findUser } from './views.ts'
import { lockUser } from './lock-user.ts'

/** Turns the code at sign-in off in a transaction and mails the owner. False where it is off already. */
export type TurnOffCode = (tx: Tx) => Promise<boolean>

/**
 * Confirms that the caller owns the account, which is needed only while the code is on. The confirmation counts for the password
 * it was made with.
 */
export async function confirmTurningOffCode(
  ctx: MemberContext & PasswordContext,
  currentPassword: string | undefined,
): Promise<TurnOffCode> {
  const account = await findUser(ctx.db, ctx.user.id)
  if (!account) throw new AppError(appErrors.notSignedIn)
  if (account.signInOtp) await confirmOwner(ctx, account, currentPassword)
  const place = await readDevice(ctx)
  return async (tx) => {
    const now = await lockUser(tx, account.id, 'no key update')
    if (!now) throw new AppError(appErrors.notSignedIn)
    if (!now.signInOtp) return false
    // It was turned on after the first look: nothing was confirmed.
    if (!account.signInOtp) throw new AppError(appErrors.currentPasswordRequired)
    if (now.passwordHash !== account.passwordHash) throw new AppError(appErrors.wrongCurrentPassword)
    const { email: to, language } = now
    const values = deviceValues(language, place, new Date())
    await queueMail(tx, ctx.deps, { template: 'sign-in-code-off', to, language, values })
    await tx.update(users).set({ signInOtp: false }).where(eq(users.id, account.id))
    return true
  }
}
