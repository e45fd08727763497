import { oldestMember } from '@community/contract'
import type { Tx } from '@community/db'
import { deleteMember, type LockedTeam, makeChef, type membershipsOf, settleTeam } from './commands.ts'

export interface Departure {
  wasChef: boolean
  /** Who became chef; null when the chef is the one of before, or when nobody is left. */
  newChefId: string | null
}

/**
 * Takes somebody out of a team that this transaction has locked, and whose members it has read after that, by the rules of
 * leaving: after a chef follows the member named by `heirId`, else the one who joined first; without members the team is
 * inactive and kept. Null when they are not in it.
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
