import type { contract, EmptyData, ParsedInput } from '@community/contract'
import { deleteUserCodes } from '../auth/code-commands.ts'
import type { AuthenticatedContext } from '../context.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { eraseAccount } from '../users/erase-account.ts'
import { audit } from './audit.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

type DeleteUserRoute = typeof contract.admin.deleteUser

/** Deletes another user's account. The audit entry holds only the id, so that no personal data remains. */
export async function deleteUser(ctx: AuthenticatedContext, { id }: ParsedInput<DeleteUserRoute>): Promise<EmptyData> {
  await deleteWithObjects(ctx, async (tx) => {
    await deleteUserCodes(tx, id)
    const target = await lockAdminAndTarget(tx, ctx, id)
    await audit(tx, ctx, { action: 'admin.deleteUser', targetId: id })
    return eraseAccount(tx, target)
  })
  return {}
}
