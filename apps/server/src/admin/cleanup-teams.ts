import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit } from './audit.ts'
import { deleteUnsubmittedTeams, lockEmptyTeams } from './team-commands.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Of the teams without members, which are inactive, deletes those that never submitted. */
export const cleanupTeams: UseCase<typeof contract.admin.cleanupTeams> = (ctx) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const ids = await lockEmptyTeams(tx)
    const deleted = await deleteUnsubmittedTeams(tx, ids)
    await audit(tx, ctx, { action: 'admin.cleanupTeams', details: { deleted: deleted.length, teams: deleted } })
    return { deleted: deleted.length, deactivated: 0 }
  })
