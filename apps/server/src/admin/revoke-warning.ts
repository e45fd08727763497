import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toUser } from '../users/views.ts'
import { audit } from './audit.ts'
import { changeWarningCount, deleteWarning, findWarning } from './moderation-commands.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

/** Revokes a warning. Of concurrent calls only one lowers the count. */
export const revokeWarning: UseCase<typeof contract.admin.takeWarningBack> = (ctx, { id }) =>
  inTransaction(ctx.db, async (tx) => {
    const warning = await findWarning(tx, id)
    if (!warning) throw new AppError(appErrors.warningMissing)
    await lockAdminAndTarget(tx, ctx, warning.userId)
    if (!(await deleteWarning(tx, id))) throw new AppError(appErrors.warningMissing)
    const user = await changeWarningCount(tx, warning.userId, -1)
    await audit(tx, ctx, {
      action: 'admin.takeWarningBack',
      targetId: warning.userId,
      details: { warningId: id, reason: warning.reason, warnings: user.warningCount },
    })
    return { user: toUser(user, ctx.deps) }
  })
