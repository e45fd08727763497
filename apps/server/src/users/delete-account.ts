import { type contract, appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { deleteUserCodes } from '../auth/code-commands.ts'
import { verifyOwnPassword } from '../auth/confirm-own-password.ts'
import type { PasswordContext, AuthenticatedContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { detachAccount, eraseAccount } from './erase-account.ts'
import { findAccountById, type UserRow } from './account-queries.ts'
import { lockActiveUser } from './lock-user.ts'

/** Returns the caller's account after verifying its password; wrong ones count together with sign-in. */
async function verifyOwnAccount(ctx: AuthenticatedContext & PasswordContext, password: string): Promise<UserRow> {
  const account = await findAccountById(ctx.db, ctx.user.id)
  if (!account) throw new AppError(appErrors.notSignedIn)
  if (account.passwordHash === null) throw new AppError(appErrors.noPassword)
  if (!(await verifyOwnPassword(ctx, account, password))) throw new AppError(appErrors.wrongPassword)
  return account
}

/** Locks the account and checks role, ban and password again: they may have changed since the password was verified. */
async function lockAccount(tx: Tx, verified: UserRow): Promise<UserRow> {
  await deleteUserCodes(tx, verified.id)
  await lockActiveUser(tx, verified.id, 'no key update')
  const account = await findAccountById(tx, verified.id)
  if (!account) throw new AppError(appErrors.notSignedIn)
  if (account.role === 'admin') throw new AppError(appErrors.adminsStay)
  if (account.passwordHash !== verified.passwordHash) throw new AppError(appErrors.wrongPassword)
  return account
}

/** Permanently deletes the caller's own account. A concurrent second deletion throws `notSignedIn`. */
export const deleteAccount: UseCase<typeof contract.users.remove> = async (ctx, { id, password }) => {
  if (id !== ctx.user.id) throw new AppError(appErrors.notYourAccount)
  if (ctx.user.role === 'admin') throw new AppError(appErrors.adminsStay)
  const verified = await verifyOwnAccount(ctx, password)
  const lock = (tx: Tx) => lockAccount(tx, verified)
  await detachAccount(ctx.db, lock)
  await deleteWithObjects(ctx, async (tx) => eraseAccount(tx, await lock(tx)))
  logSecurityEvent(ctx, 'auth.account_deleted')
  return {}
}
