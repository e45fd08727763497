import type { contract } from '@community/contract'
import type { Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { notifyTeamDeleted } from '../notifications/notify-team.ts'
import { deleteTeamSubmissions } from '../submissions/deletion-commands.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { auditIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { deleteTeamRow, type LockedTeam } from './commands.ts'

/** Permanently deletes a team, as its chef or as an administrator with their password. */
export const deleteTeam: UseCase<typeof contract.teams.remove> = async (ctx, { id, password }) => {
  await confirmIfAdmin(ctx, password)
  await deleteWithObjects(ctx, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.remove' })
    return deleteWithWork(tx, team, ctx.user.id)
  })
  return {}
}

/**
 * Deletes a locked team with its submissions, files and points, and notifies its members. Returns the keys of the objects to remove after
 * the commit.
 */
export async function deleteWithWork(tx: Tx, team: LockedTeam, actorId: string): Promise<string[]> {
  await notifyTeamDeleted(tx, team, actorId)
  const keys = await deleteTeamSubmissions(tx, team.id)
  await deleteTeamRow(tx, team.id)
  return keys
}
