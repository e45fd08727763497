import type { contract } from '@community/contract'
import type { Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { deleteUserCodes } from '../auth/code-commands.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { detachAccount, eraseAccount } from '../users/erase-account.ts'
import { audit } from './audit.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

/** Deletes another user's account. The audit entry holds only the id, so that no personal data remains. */
export const deleteUser: UseCase<typeof contract.admin.deleteUser> = async (ctx, { id }) => {
  const lockTarget = async (tx: Tx) => {
    await deleteUserCodes(tx, id)
    return lockAdminAndTarget(tx, ctx, id)
  }
  const auditDeletion = (tx: Tx) => audit(tx, ctx, { action: 'admin.deleteUser', targetId: id })
  const isAudited = await detachAccount(ctx.db, lockTarget, auditDeletion)
  await deleteWithObjects(ctx, async (tx) => {
    const target = await lockTarget(tx)
    if (!isAudited) await auditDeletion(tx)
    return eraseAccount(tx, target)
  })
  return {}
}
