import { type ErrorDefinition, appErrors, limits } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { PasswordContext, AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findAccountById } from '../users/account-queries.ts'
import { limitWrongAttempts, type AttemptLimit, isFirstOfWindow } from '../http/rate-limits.ts'
import { audit } from './audit.ts'

/** One counter per administrator over all procedures and IP addresses. */
const wrongPasswordLimit = (id: string): AttemptLimit => ({
  key: `admin-password:${id}`,
  max: limits.ADMIN_PASSWORD_ATTEMPTS_MAX,
  seconds: limits.ADMIN_PASSWORD_WINDOW,
  error: appErrors.adminPasswordLocked,
})

const auditFailure = (tx: Tx, ctx: AuthenticatedContext, { code }: ErrorDefinition): Promise<void> =>
  audit(tx, ctx, { action: 'admin.confirmPassword', targetType: 'user', targetId: ctx.user.id, result: code })

/** Audited once per lockout, so that guessing cannot fill the log. */
async function auditLockout(ctx: AuthenticatedContext, { key, error }: AttemptLimit): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (await isFirstOfWindow(tx, key)) await auditFailure(tx, ctx, error)
  })
}

/**
 * Throws unless `password` is the administrator's; during a lockout by wrong ones also if it is. A personal access token needs no
 * password: its scope `admin` suffices. Audits each wrong password, and each lockout once.
 */
export async function confirmAdminPassword(
  ctx: AuthenticatedContext & PasswordContext,
  password: string,
): Promise<void> {
  const { db, deps, user } = ctx
  if (user.personalToken) return
  if (password.trim() === '') throw new AppError(appErrors.passwordRequired)
  const account = await findAccountById(db, user.id)
  const limit = wrongPasswordLimit(user.id)
  const verify = () => deps.passwords.verify(account?.passwordHash ?? null, password)
  const isCorrect = await limitWrongAttempts(db, [limit], verify).catch(async (error: unknown) => {
    if (error instanceof AppError && error.definition.code === limit.error.code) await auditLockout(ctx, limit)
    throw error
  })
  if (isCorrect) return
  await inTransaction(db, (tx) => auditFailure(tx, ctx, appErrors.wrongPassword))
  throw new AppError(appErrors.wrongPassword)
}

/** Confirms the password of an administrator; a chef who calls the same procedure needs none. */
export async function confirmIfAdmin(
  ctx: AuthenticatedContext & PasswordContext,
  password: string | undefined,
): Promise<void> {
  if (ctx.user.role === 'admin') await confirmAdminPassword(ctx, password ?? '')
}
