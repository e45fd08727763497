import type { Tx } from '@community/db'
import { touchSubmissionsOf } from '../submissions/commands.ts'
import { removeMember } from '../teams/remove-member.ts'
import { findMemberships, lockTeam, type LockedTeam } from '../teams/commands.ts'
import { deleteUnusedFiles } from '../uploads/profile-commands.ts'
import { deleteAddressData, deleteUserRow } from './commands.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'
import { findTeamIds } from './queries.ts'
import type { UserRow } from './account-queries.ts'

/** Locks the teams of a locked user in id order. */
export async function lockTeamsOf(tx: Tx, userId: string): Promise<LockedTeam[]> {
  const locked: (LockedTeam | undefined)[] = []
  for (const teamId of await findTeamIds(tx, userId)) locked.push(await lockTeam(tx, teamId))
  return locked.filter((team) => team !== undefined)
}

/** Removes a user from their locked teams by the rules of leaving. */
export async function leaveTeams(
  tx: Tx,
  teams: LockedTeam[],
  userId: string,
  reason: 'removed' | 'account closed',
  actorId: string,
): Promise<void> {
  for (const team of teams)
    await removeMember(tx, team, await findMemberships(tx, team.id), userId, { reason, actorId })
}

/**
 * Deletes an account that this transaction has locked for `no key update`, with everything that concerns only its owner:
 * memberships, sign-ins, codes, mails, identities, warnings, picture, unused files. Submitted work stays with its team, without
 * the name. Entries of the audit log and the blacklist stay too. Returns the keys of the objects to remove after the commit.
 */
export async function eraseAccount(tx: Tx, account: UserRow): Promise<string[]> {
  const teams = await lockTeamsOf(tx, account.id)
  await pauseWebhooksOf(tx, account.id)
  await leaveTeams(tx, teams, account.id, 'account closed', account.id)
  await touchSubmissionsOf(tx, account.id)
  const keys = await deleteUnusedFiles(tx, account)
  await deleteAddressData(tx, account)
  await deleteUserRow(tx, account.id)
  return keys
}
