import { type contract, appErrors, limits } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit } from '../admin/audit.ts'
import { confirmOwner } from '../auth/confirm-own-password.ts'
import { hashToken } from '../auth/hash-token.ts'
import { readDevice } from '../auth/set-password.ts'
import { AppError } from '../errors.ts'
import { queueMail } from '../jobs/mail.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { deviceValues } from '../mails/device-values.ts'
import { scopesIn } from '../mails/scope-names.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { findAccountById } from '../users/account-queries.ts'
import { insertToken } from './commands.ts'
import { countTokens } from './queries.ts'
import { generateToken } from './token-format.ts'
import { toPersonalToken } from './views.ts'

/**
 * Creates a personal access token after confirming its owner, who is notified by mail; wrong passwords count as failed sign-ins.
 * Writes the creation of a token with the scope `admin` to the audit log; audit-reads.ts and each procedure write its uses.
 */
export const createToken: UseCase<typeof contract.users.createToken> = async (ctx, { currentPassword, ...token }) => {
  const { db, user } = ctx
  const isForAdministration = token.scopes.includes('admin')
  if (isForAdministration && user.role !== 'admin') throw new AppError(appErrors.adminsOnly)
  const account = await findAccountById(db, user.id)
  if (!account) throw new AppError(appErrors.notSignedIn)
  await confirmOwner(ctx, account, currentPassword)

  const device = await readDevice(ctx)
  const secret = generateToken()
  const row = await inTransaction(db, async (tx) => {
    // A concurrent ban, role change or new password finishes before this or finds the token.
    const owner = await lockActiveUser(tx, user.id, 'no key update')
    if (owner.passwordHash !== account.passwordHash) throw new AppError(appErrors.wrongCurrentPassword)
    if (isForAdministration && owner.role !== 'admin') throw new AppError(appErrors.adminsOnly)
    if ((await countTokens(tx, owner.id)) >= limits.TOKENS_MAX) throw new AppError(appErrors.tooManyTokens)
    const created = await insertToken(tx, { ...token, userId: owner.id, hash: hashToken(secret) })
    if (isForAdministration)
      await audit(tx, ctx, {
        action: 'users.createToken',
        targetType: 'user',
        targetId: owner.id,
        details: { token: token.name },
      })
    const { email: to, language } = owner
    const values = {
      ...deviceValues(language, device, created.createdAt),
      name: token.name,
      scopes: scopesIn(language, token.scopes),
    }
    await queueMail(tx, ctx.deps, { template: 'access-token-created', to, language, values })
    return created
  })
  wakeWorkers()
  logSecurityEvent(ctx, 'auth.personal_token_created')
  return { token: toPersonalToken(row), secret }
}
