import type { contract, Output } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { audit } from './audit.ts'
import { deleteOrDeactivateTeams, lockEmptyTeams } from './team-commands.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Of the teams without members, deletes those that never submitted and deactivates the others. */
export function cleanupTeams(ctx: AuthenticatedContext): Promise<Output<typeof contract.admin.cleanupTeams>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const ids = await lockEmptyTeams(tx)
    const counts = ids.length === 0 ? { deleted: 0, deactivated: 0 } : await deleteOrDeactivateTeams(tx, ids)
    await audit(tx, ctx, { action: 'admin.cleanupTeams', details: counts })
    return counts
  })
}
