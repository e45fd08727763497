import { type contract, limits } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext, UseCase } from '../context.ts'
import { audit } from './audit.ts'
import { DELETED_TEAMS_BATCH, deleteUnsubmittedTeams, lockNextUnsubmittedTeams } from './team-commands.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Deletes the next teams, with an entry in the audit log. Returns their number. */
const deleteNext = (ctx: AuthenticatedContext, isFirst: boolean) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const teams = await deleteUnsubmittedTeams(tx, await lockNextUnsubmittedTeams(tx))
    if (isFirst || teams.length > 0)
      await audit(tx, ctx, { action: 'admin.cleanupTeams', details: { deleted: teams.length, teams } })
    return teams.length
  })

/** Of the teams without members, which are inactive, deletes those that never submitted, in batches up to the limit of a request. */
export const cleanupTeams: UseCase<typeof contract.admin.cleanupTeams> = async (ctx) => {
  let deleted = 0
  let last: number
  do {
    last = await deleteNext(ctx, deleted === 0)
    deleted += last
  } while (last === DELETED_TEAMS_BATCH && deleted < limits.CLEANED_UP_TEAMS_MAX)
  return { deleted, deactivated: 0 }
}
