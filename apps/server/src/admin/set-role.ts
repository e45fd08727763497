import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { endAllFamilies } from '../auth/session-commands.ts'
import { AppError } from '../errors.ts'
import { removeAdminScope } from '../personal-tokens/commands.ts'
import { toUser } from '../users/views.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'
import { notify } from '../notifications/notify.ts'
import { audit } from './audit.ts'
import { updateRole } from './moderation-commands.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

/**
 * Grants or revokes the administrator role. Ends the user's sign-ins and removes the scope `admin` from their personal access tokens, so
 * that no credential keeps the old role. `lockAdminAndTarget` rejects the caller's own account, so at least one administrator remains.
 */
export const setRole: UseCase<typeof contract.admin.setRole> = (ctx, { id, role }) =>
  inTransaction(ctx.db, async (tx) => {
    const target = await lockAdminAndTarget(tx, ctx, id)
    if (role === 'admin') {
      if (target.isBanned) throw new AppError(appErrors.alreadyBanned)
      if (target.passwordHash === null) throw new AppError(appErrors.adminNeedsPassword)
    }
    const updated = await updateRole(tx, id, role)
    if (target.role !== role) {
      await endAllFamilies(tx, id, 'the role changed')
      await removeAdminScope(tx, id)
      await pauseWebhooksOf(tx, id)
      await notify(tx, { userId: id }, { kind: 'account.role-changed', params: { role }, actorId: ctx.user.id })
    }
    await audit(tx, ctx, {
      action: 'admin.setRole',
      targetId: id,
      details: { before: target.role, after: role },
    })
    return { user: toUser(updated, ctx.deps) }
  })
