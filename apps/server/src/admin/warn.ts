import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toUser } from '../users/views.ts'
import { notify } from '../notifications/notify.ts'
import { audit } from './audit.ts'
import { changeWarningCount, insertWarning } from './moderation-commands.ts'
import { toWarning } from './views.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

/** Warns a user. The password is already verified. */
export const warn: UseCase<typeof contract.admin.warn> = (ctx, { userId, reason }) =>
  inTransaction(ctx.db, async (tx) => {
    const target = await lockAdminAndTarget(tx, ctx, userId)
    if (target.isBanned) throw new AppError(appErrors.alreadyBanned)
    const warning = await insertWarning(tx, { userId, reason, createdBy: ctx.user.id })
    const warned = await changeWarningCount(tx, userId, 1)
    await notify(tx, { userId }, { kind: 'account.warned', params: { warning: reason }, actorId: ctx.user.id })
    await audit(tx, ctx, {
      action: 'admin.warn',
      targetId: userId,
      details: { warningId: warning.id, reason, warnings: warned.warningCount },
    })
    return { warning: toWarning({ ...warning, user: target, author: ctx.user }), user: toUser(warned, ctx.deps) }
  })
