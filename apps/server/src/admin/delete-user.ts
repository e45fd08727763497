import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { deleteUserCodes } from '../auth/code-commands.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { eraseAccount } from '../users/erase-account.ts'
import { audit } from './audit.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

/** Deletes another user's account. The audit entry holds only the id, so that no personal data remains. */
export const deleteUser: UseCase<typeof contract.admin.deleteUser> = async (ctx, { id }) => {
  await deleteWithObjects(ctx, async (tx) => {
    await deleteUserCodes(tx, id)
    const target = await lockAdminAndTarget(tx, ctx, id)
    await audit(tx, ctx, { action: 'admin.deleteUser', targetId: id })
    return eraseAccount(tx, target)
  })
  return {}
}
