import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { findAttemptPool, clearCodeId } from './code-ids.ts'
import { checkCode, consumeCode } from './check-code.ts'
import { assertNotCommonPassword } from './common-passwords.ts'
import { findAccountByEmail } from './account-queries.ts'
import { clearSignInFailures, limitAttempts } from './limit-attempts.ts'
import { readDevice, assertStrongForAdmin, setPassword } from './set-password.ts'

/**
 * Sets a new password with the mailed code, even while sign-ins are locked, and clears the lockout. Ends every session, revokes every
 * personal access token, unlinks every external identity and does not sign in. Whether the password is acceptable for this account is
 * only revealed to the holder of the code.
 */
export const resetPassword: UseCase<typeof contract.auth.resetPassword> = async (
  ctx,
  { email, otp, password, resetId },
) => {
  const { db, deps } = ctx
  const account = await findAccountByEmail(db, email)
  const pool = findAttemptPool(ctx, { purpose: 'reset', email, id: resetId, owner: account })
  await limitAttempts(ctx, pool?.name)
  const code = await checkCode(ctx, { purpose: 'reset', email, otp, pool })
  if (!account || account.id !== code.userId) throw new AppError(appErrors.codeInvalid)
  assertStrongForAdmin(account, password, 'password')
  assertNotCommonPassword(deps.config, password)

  const hash = await deps.passwords.hash(password)
  const device = await readDevice(ctx)
  // Somebody who knew the password or could read the mailbox may have created tokens or linked an external identity.
  const replacement = {
    password,
    hash,
    path: 'password',
    reason: 'the password was reset',
    revokesTokens: true,
    isReset: true,
  } as const
  await inTransaction(db, async (tx) => {
    await consumeCode(tx, code)
    await setPassword(tx, ctx, account, replacement, {
      device,
      recheck: (lockedUser) => {
        if (!lockedUser || lockedUser.isBanned) throw new AppError(appErrors.codeInvalid)
      },
    })
  })
  wakeWorkers()
  logSecurityEvent(ctx, 'auth.password_reset', { userId: account.id })
  await clearSignInFailures(ctx, email)
  clearCodeId(ctx, 'reset')
  return {}
}
