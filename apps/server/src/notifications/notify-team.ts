import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { notify } from './notify.ts'

interface TeamSummary {
  id: string
  name: string
  isActive: boolean
}
const paramsOf = ({ id, name }: Omit<TeamSummary, 'isActive'>) => ({ team: name, teamId: id })

/** Notifies the other members that somebody joined. */
export const notifyJoin = (tx: Tx, team: TeamSummary, userId: string): Promise<void> =>
  notify(
    tx,
    { teamId: team.id },
    { kind: 'team.member.joined', params: paramsOf(team), actorId: userId, subjectId: userId },
  )

/** Notifies the remaining members, and a removed one. The name of a deleted account is left out. */
export async function notifyDeparture(
  tx: Tx,
  team: TeamSummary,
  userId: string,
  { reason, actorId }: { reason: 'left' | 'removed' | 'account closed'; actorId: string },
): Promise<void> {
  const about = { params: paramsOf(team), actorId, teamId: team.id }
  await Promise.all([
    notify(
      tx,
      { teamId: team.id },
      { ...about, kind: 'team.member.left', subjectId: reason === 'account closed' ? null : userId },
    ),
    reason === 'removed' && notify(tx, { userId }, { ...about, kind: 'team.member.removed' }),
  ])
}

export const notifyNewChef = (tx: Tx, team: TeamSummary, userId: string, actorId: string): Promise<void> =>
  notify(tx, { userId }, { kind: 'team.chef', params: paramsOf(team), actorId, teamId: team.id })

/** Notifies the members that an administrator renamed or deactivated the team. */
export async function notifyTeamChange(
  tx: Tx,
  { user }: AuthenticatedContext,
  team: TeamSummary,
  { name, isActive }: { name?: string | undefined; isActive?: boolean | undefined },
): Promise<void> {
  const actorId = user.id
  const after = { id: team.id, name: name ?? team.name }
  if (after.name !== team.name)
    await notify(
      tx,
      { teamId: team.id },
      { kind: 'team.renamed', params: { ...paramsOf(after), before: team.name }, actorId },
    )
  if (isActive === false && team.isActive)
    await notify(tx, { teamId: team.id }, { kind: 'team.deactivated', params: paramsOf(after), actorId })
}

/** Notifies the members, before their team is deleted. */
export const notifyTeamDeleted = (tx: Tx, team: Omit<TeamSummary, 'isActive'>, actorId: string): Promise<void> =>
  notify(tx, { teamId: team.id }, { kind: 'team.deleted', params: paramsOf(team), actorId })

/** Notifies the members that their team entered the top three. */
export const notifyTopThree = (
  tx: Tx,
  { id, name }: Omit<TeamSummary, 'isActive'>,
  rank: number,
  actorId: string,
): Promise<void> =>
  notify(tx, { teamId: id }, { kind: 'team.top-three', params: { ...paramsOf({ id, name }), rank }, actorId })
