import type { Tx } from '@community/db'
import { findMemberships, lockTeam, type LockedTeam } from '../teams/commands.ts'
import { endMembership } from '../teams/end-membership.ts'
import { findTeamIds } from './queries.ts'

/** Teams that one transaction locks and removes a member from, at most; each takes a few milliseconds. */
const TEAMS_BATCH = 100

interface Departure {
  userId: string
  reason: 'removed' | 'account closed'
  actorId: string
}

/** Whether a user is in more teams than one transaction leaves. */
export const hasManyTeams = async (tx: Tx, userId: string): Promise<boolean> =>
  (await findTeamIds(tx, userId, TEAMS_BATCH + 1)).length > TEAMS_BATCH

/** Removes a locked user from at most `TEAMS_BATCH` of their teams, by the rules of leaving a team. Returns whether they are in others. */
export async function leaveNextTeams(tx: Tx, { userId, reason, actorId }: Departure): Promise<boolean> {
  const teams: LockedTeam[] = []
  for (const teamId of await findTeamIds(tx, userId, TEAMS_BATCH)) {
    const team = await lockTeam(tx, teamId)
    if (team) teams.push(team)
  }
  for (const team of teams)
    await endMembership(tx, team, await findMemberships(tx, team.id), { userId, reason, actorId })
  return (await findTeamIds(tx, userId, 1)).length > 0
}
