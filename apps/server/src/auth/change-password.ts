import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { assertNotCommonPassword } from './common-passwords.ts'
import { verifyOwnPassword } from './confirm-own-password.ts'
import { findAccountByEmail } from './account-queries.ts'
import { assertActive } from '../users/lock-user.ts'
import { readDevice, assertStrongForAdmin, setPassword } from './set-password.ts'

/**
 * Changes the password after verifying the current one; wrong attempts count as failed sign-ins. Ends every session of the account; with
 * `revokeTokens` also revokes its access tokens. Of several concurrent changes, the first wins: for the others the current password is no
 * longer correct.
 */
export const changePassword: UseCase<typeof contract.auth.changePassword> = async (ctx, input) => {
  const { currentPassword, newPassword, revokeTokens } = input
  const { db, deps, user } = ctx
  const account = await findAccountByEmail(db, user.email)
  if (!account) throw new AppError(appErrors.notSignedIn)
  const { passwordHash } = account
  if (passwordHash === null) throw new AppError(appErrors.noPassword)
  assertStrongForAdmin(account, newPassword, 'newPassword')
  assertNotCommonPassword(deps.config, newPassword, 'newPassword')
  if (!(await verifyOwnPassword(ctx, account, currentPassword))) throw new AppError(appErrors.wrongCurrentPassword)

  const hash = await deps.passwords.hash(newPassword)
  const device = await readDevice(ctx)
  const reason = 'the password was changed'
  const replacement = {
    password: newPassword,
    hash,
    path: 'newPassword',
    reason,
    // Keeps the identities: the caller knows the password, and signing in with an identity takes a mailed code.
    revokesTokens: revokeTokens,
    isReset: false,
  } as const
  await inTransaction(db, (tx) =>
    setPassword(tx, ctx, account, replacement, {
      device,
      recheck: (locked) => {
        if (assertActive(locked).passwordHash !== passwordHash) throw new AppError(appErrors.wrongCurrentPassword)
      },
    }),
  )
  wakeWorkers()
  logSecurityEvent(ctx, 'auth.password_changed')
  return {}
}
