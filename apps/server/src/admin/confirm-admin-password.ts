import { type ErrorDefinition, appErrors, limits } from '@community/contract'
import { inTransaction, prepared, type Tx } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { limitWrongAttempts, type AttemptLimit, isFirstOfWindow } from '../http/rate-limits.ts'
import { audit } from './audit.ts'

const passwordHashOf = prepared('password_hash_of_user', (q) =>
  q
    .select({ hash: users.passwordHash })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** One counter per administrator over all procedures and IP addresses. */
const wrongPasswordsOf = (id: string): AttemptLimit => ({
  key: `admin-password:${id}`,
  max: limits.ADMIN_PASSWORD_ATTEMPTS_MAX,
  seconds: limits.ADMIN_PASSWORD_WINDOW,
  fault: appErrors.adminPasswordLocked,
})

const auditRefusal = (tx: Tx, ctx: MemberContext, { code }: ErrorDefinition): Promise<void> =>
  audit(tx, ctx, { action: 'admin.confirmPassword', targetType: 'user', targetId: ctx.user.id, result: code })

/** Audited once per lock, so that guessing cannot fill the log. */
async function auditLock(ctx: MemberContext, { key, fault }: AttemptLimit): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (await isFirstOfWindow(tx, key)) await auditRefusal(tx, ctx, fault)
  })
}

/**
 * Verifies the administrator's re-entered password. Five wrong ones in fifteen minutes, over all procedures, lock it: then the correct
 * one is rejected too. Wrong passwords are audited, and each lock once.
 */
export async function confirmAdminPassword(ctx: MemberContext & PasswordContext, password: string): Promise<void> {
  const { db, deps, user } = ctx
  if (password.trim() === '') throw new AppError(appErrors.passwordRequired)
  const [known] = await passwordHashOf(db, { id: user.id })
  const guard = wrongPasswordsOf(user.id)
  const compare = () => deps.passwords.verify(known?.hash ?? null, password)
  const isRight = await limitWrongAttempts(db, [guard], compare).catch(async (error: unknown) => {
    if (error instanceof AppError && error.definition.code === guard.fault.code) await auditLock(ctx, guard)
    throw error
  })
  if (isRight) return
  await inTransaction(db, (tx) => auditRefusal(tx, ctx, appErrors.wrongPassword))
  throw new AppError(appErrors.wrongPassword)
}
