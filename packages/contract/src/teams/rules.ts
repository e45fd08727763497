import {
  adminsCannotJoin,
  alreadyMember,
  type Fault,
  notSignedIn,
  roleNotNeeded,
  saying,
  teamFull,
  teamInactive,
} from '../faults.ts'

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

/**
 * Why somebody cannot join a team; null when they can. The server refuses with it, the web shows or hides the button by it.
 * `roleId` is judged when it is given.
 */
export function whyCannotJoin(team: JoinableTeam, joiner: Joiner | null, roleId?: string): Fault | null {
  if (!joiner) return saying(notSignedIn, 'Please sign in to join a team')
  if (joiner.role === 'admin') return adminsCannotJoin
  if (joiner.isMember) return alreadyMember
  if (!team.isActive) return teamInactive
  if (team.memberCount >= team.maxMembers)
    return saying(teamFull, `This team is full (${team.memberCount}/${team.maxMembers} members)`)
  if (roleId !== undefined && !team.rolesNeeded.some((role) => role.id === roleId)) return roleNotNeeded
  return null
}

/** The next chef: the member who joined first; of two who joined at one instant, the lower id. Null in an empty team. */
export function nextChef<M extends { userId: string; joinedAt: string | Date }>(members: readonly M[]): M | null {
  const time = (member: M) => new Date(member.joinedAt).getTime()
  return members.toSorted((a, b) => time(a) - time(b) || (a.userId < b.userId ? -1 : 1))[0] ?? null
}

export type WarningLevel = 'none' | 'yellow-1' | 'yellow-2' | 'banned'

/** What administrators see beside a member. */
export function warningLevel(warnings: number, isBanned = false): WarningLevel {
  if (isBanned) return 'banned'
  if (warnings <= 0) return 'none'
  return warnings === 1 ? 'yellow-1' : 'yellow-2'
}
