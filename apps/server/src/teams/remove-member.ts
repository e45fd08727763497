import { oldestMember } from '@community/contract'
import type { Tx } from '@community/db'
import { deleteMember, type LockedTeam, makeChef, type membershipsOf, settleTeam } from './commands.ts'

export interface Departure {
  wasChef: boolean
  /** Null if the chef did not change or nobody is left. */
  newChefId: string | null
}

/**
 * Removes a member from a team that the transaction has locked. A removed chef is followed by `heirId`, else by the longest-standing
 * member; a team without members becomes inactive. Null if the user is not a member.
 */
export async function removeMember(
  tx: Tx,
  team: LockedTeam,
  members: Awaited<ReturnType<typeof membershipsOf>>,
  userId: string,
  heirId?: string,
): Promise<Departure | null> {
  const leaver = members.find((member) => member.userId === userId)
  if (!leaver) return null
  const others = members.filter((member) => member !== leaver)
  const named = others.find((member) => member.userId === heirId)
  const heir = leaver.isChef ? (named ?? oldestMember(others)) : null
  await Promise.all([
    deleteMember(tx, team.id, userId),
    heir && makeChef(tx, team.id, heir.userId),
    settleTeam(tx, team.id, {
      memberCount: others.length,
      ownerId: others.length === 0 ? null : (heir?.userId ?? team.ownerId),
      isActive: team.isActive && others.length > 0,
    }),
  ])
  return { wasChef: leaver.isChef, newChefId: heir?.userId ?? null }
}
