import {
  adminsCannotJoin,
  adminsReactivate,
  alreadyMember,
  type ErrorDefinition,
  lastMember,
  memberMissing,
  newOwnerMissing,
  newOwnerRequired,
  notSignedIn,
  roleNotNeeded,
  withMessage,
  teamEmpty,
  teamFull,
  teamInactive,
  teamSmallerThanMembers,
} from '../error-catalogue.ts'

interface JoinableTeam {
  isActive: boolean
  memberCount: number
  maxMembers: number
  rolesNeeded: readonly { id: string }[]
}
interface Joiner {
  role: string
  isMember: boolean
}

/** Why somebody cannot join a team; null if they can. The server throws the error, the web shows or hides the button by it. Checks `roleId` only if given. */
export function whyCannotJoin(team: JoinableTeam, joiner: Joiner | null, roleId?: string): ErrorDefinition | null {
  if (!joiner) return withMessage(notSignedIn, 'Please sign in to join a team')
  if (joiner.role === 'admin') return adminsCannotJoin
  if (joiner.isMember) return alreadyMember
  if (!team.isActive) return teamInactive
  if (team.memberCount >= team.maxMembers)
    return withMessage(teamFull, 'This team is full ({count}/{max} members)', {
      count: team.memberCount,
      max: team.maxMembers,
    })
  if (roleId !== undefined && !team.rolesNeeded.some((role) => role.id === roleId)) return roleNotNeeded
  return null
}

/** The next chef: the earliest to join, then the lower id. Null in an empty team. */
export function oldestMember<M extends { userId: string; joinedAt: string | Date }>(members: readonly M[]): M | null {
  const time = (member: M) => new Date(member.joinedAt).getTime()
  return members.toSorted((a, b) => time(a) - time(b) || (a.userId < b.userId ? -1 : 1))[0] ?? null
}

interface Membership {
  userId: string
  isChef: boolean
  joinedAt: string | Date
}

/**
 * The chef after `leaverId` is removed; `userId` is absent if the chef stays. The only member cannot be removed; of two members the other
 * becomes chef; of several, the caller must name one or set `autoAssign`.
 */
export function resolveNextChef(
  members: readonly Membership[],
  leaverId: string,
  { newOwnerId, autoAssign }: { newOwnerId?: string | undefined; autoAssign: boolean },
): { userId?: string } | { error: ErrorDefinition } {
  const leaver = members.find((member) => member.userId === leaverId)
  if (!leaver) return { error: memberMissing }
  if (!leaver.isChef) return {}
  const others = members.filter((member) => member !== leaver)
  const oldest = oldestMember(others)
  if (!oldest) return { error: lastMember }
  if (newOwnerId !== undefined)
    return others.some((member) => member.userId === newOwnerId) ? { userId: newOwnerId } : { error: newOwnerMissing }
  return others.length === 1 || autoAssign ? { userId: oldest.userId } : { error: newOwnerRequired }
}

/** Why a team cannot be updated like this; null if it can. Only an administrator can reactivate a team. */
export function whyCannotUpdateTeam(
  team: { isActive: boolean; memberCount: number },
  change: { maxMembers?: number | undefined; isActive?: boolean | undefined },
  caller: { role: string },
): ErrorDefinition | null {
  if (change.maxMembers !== undefined && change.maxMembers < team.memberCount) return teamSmallerThanMembers
  if (!change.isActive || team.isActive) return null
  if (caller.role !== 'admin') return adminsReactivate
  return team.memberCount === 0 ? teamEmpty : null
}

type WarningLevel = 'none' | 'yellow-1' | 'yellow-2' | 'banned'

/** The badge that administrators see beside a member. */
export function warningLevel(warnings: number, isBanned: boolean): WarningLevel {
  if (isBanned) return 'banned'
  if (warnings <= 0) return 'none'
  return warnings === 1 ? 'yellow-1' : 'yellow-2'
}
