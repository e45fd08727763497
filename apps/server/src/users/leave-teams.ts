import type { Tx } from '@community/db'
import { findMemberships, lockTeam, type LockedTeam } from '../teams/commands.ts'
import { removeMember } from '../teams/remove-member.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'
import { findTeamIds } from './queries.ts'

/** The most teams that one transaction locks and takes a member out of, at a few milliseconds each. */
const TEAMS_BATCH = 100

interface Departure {
  userId: string
  reason: 'removed' | 'account closed'
  actorId: string
}

/** Whether a user is in more teams than one transaction leaves. */
export const hasManyTeams = async (tx: Tx, userId: string): Promise<boolean> =>
  (await findTeamIds(tx, userId, TEAMS_BATCH + 1)).length > TEAMS_BATCH

/** Pauses a locked user's webhooks and removes them from their next teams by the rules of leaving; true if more teams are left. */
export async function leaveNextTeams(tx: Tx, { userId, reason, actorId }: Departure): Promise<boolean> {
  const locked: (LockedTeam | undefined)[] = []
  for (const teamId of await findTeamIds(tx, userId, TEAMS_BATCH)) locked.push(await lockTeam(tx, teamId))
  const teams = locked.filter((team) => team !== undefined)
  await pauseWebhooksOf(tx, userId)
  for (const team of teams)
    await removeMember(tx, team, await findMemberships(tx, team.id), userId, { reason, actorId })
  return (await findTeamIds(tx, userId, 1)).length > 0
}
