import { oldestMember, type WebhookEventData } from '@community/contract'
import type { Tx } from '@community/db'
import { notifyDeparture, notifyNewChef } from '../notifications/notify-team.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'
import { emit } from '../webhooks/emit.ts'
import { deleteMember, type LockedTeam, setChef, type findMemberships } from './commands.ts'

interface Departure {
  wasChef: boolean
  /** Null if the chef did not change or nobody is left. */
  newChefId: string | null
}

type Reason = WebhookEventData<'team.member.left'>['reason']

interface EndMembership {
  userId: string
  reason: Reason
  nextChefId?: string | undefined
  actorId: string
}

/** The event that a member left. It must not contain the id of a deleted account. */
const departureEvent = ({ id: teamId, name }: LockedTeam, leaver: string, reason: Reason) => {
  const userId = reason === 'account closed' ? null : leaver
  return { data: { team: { id: teamId, name }, userId, reason }, teamId, userId }
}

/**
 * Removes a member, for any reason, from a team that the transaction has locked. A chef is followed by
 * `nextChefId`, else by the longest-standing member; a team without members becomes inactive. Null if the user is not a member.
 */
export async function endMembership(
  tx: Tx,
  team: LockedTeam,
  members: Awaited<ReturnType<typeof findMemberships>>,
  { userId, reason, nextChefId, actorId }: EndMembership,
): Promise<Departure | null> {
  const leavingMember = members.find((member) => member.userId === userId)
  if (!leavingMember) return null
  const remaining = members.filter((member) => member !== leavingMember)
  const chosen = remaining.find((member) => member.userId === nextChefId)
  const nextChef = leavingMember.isChef ? (chosen ?? oldestMember(remaining)) : null
  const state = {
    memberCount: remaining.length,
    ownerId: remaining.length === 0 ? null : (nextChef?.userId ?? team.ownerId),
    isActive: team.isActive && remaining.length > 0,
  }
  const [{ hasListeners }] = await Promise.all([
    deleteMember(tx, { teamId: team.id, userId }, state),
    nextChef && setChef(tx, team.id, nextChef.userId),
    notifyDeparture(tx, team, userId, { reason, actorId }),
    nextChef && notifyNewChef(tx, team, nextChef.userId, actorId),
  ])
  if (hasListeners) {
    await pauseWebhooksOf(tx, userId, team.id)
    await emit(tx, { name: 'team.member.left', ...departureEvent(team, userId, reason) })
  }
  return { wasChef: leavingMember.isChef, newChefId: nextChef?.userId ?? null }
}
