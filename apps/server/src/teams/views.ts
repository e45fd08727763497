import type { RoleRef, Team, TeamCard, TeamMember, TeamView } from '@community/contract'
import type { Reader } from '@community/db'
import type { Context, Deps } from '../context.ts'
import { toAvatarUrl } from '../users/views.ts'
import { findMembers, findRolesNeeded, findTeam, type MemberRow, type RoleNeededRow, type TeamRow } from './queries.ts'

function groupByTeam<R extends { teamId: string }>(rows: R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(row.teamId)
    if (group) group.push(row)
    else groups.set(row.teamId, [row])
  }
  return groups
}

const toRoleRef = ({ id, name, emoji }: RoleNeededRow): RoleRef => ({ id, name, emoji })

type ViewDeps = Pick<Deps, 'config'>

const toTeamMember = ({ teamId: _teamId, joinedAt, avatarUrl, ...member }: MemberRow, deps: ViewDeps): TeamMember => ({
  ...member,
  avatarUrl: toAvatarUrl(deps, avatarUrl),
  joinedAt: joinedAt.toISOString(),
})

const toTeamCard = (team: TeamRow, rolesNeeded: RoleNeededRow[] = []): TeamCard => ({
  id: team.id,
  _id: team.id,
  name: team.name,
  isActive: team.isActive,
  maxMembers: team.maxMembers,
  rolesNeeded: rolesNeeded.map(toRoleRef),
  createdAt: team.createdAt.toISOString(),
  updatedAt: team.updatedAt.toISOString(),
})

export const toTeam = (
  team: TeamRow,
  deps: ViewDeps,
  rolesNeeded?: RoleNeededRow[],
  members: MemberRow[] = [],
): Team => ({
  ...team,
  ...toTeamCard(team, rolesNeeded),
  members: members.map((member) => toTeamMember(member, deps)),
})

/** Teams for signed-in users, in the given order, with two statements regardless of their number. */
export async function loadTeams(db: Reader, rows: TeamRow[], deps: ViewDeps): Promise<Team[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [members, rolesNeeded] = await Promise.all([findMembers(db, ids), findRolesNeeded(db, ids)])
  const membersByTeam = groupByTeam(members)
  const rolesByTeam = groupByTeam(rolesNeeded)
  return rows.map((row) => toTeam(row, deps, rolesByTeam.get(row.id), membersByTeam.get(row.id)))
}

/** Teams for visitors; reads no fields that visitors may not see. */
export async function loadTeamCards(db: Reader, rows: TeamRow[]): Promise<TeamCard[]> {
  if (rows.length === 0) return []
  const rolesByTeam = groupByTeam(
    await findRolesNeeded(
      db,
      rows.map(({ id }) => id),
    ),
  )
  return rows.map((row) => toTeamCard(row, rolesByTeam.get(row.id)))
}

/** Teams for the caller. */
export const loadTeamViews = ({ db, deps, user }: Context, rows: TeamRow[]): Promise<TeamView[]> =>
  user ? loadTeams(db, rows, deps) : loadTeamCards(db, rows)

/** A team for signed-in users, in one round trip; undefined if there is none. */
export async function findWholeTeam(db: Reader, id: string, deps: ViewDeps): Promise<Team | undefined> {
  const [row, members, rolesNeeded] = await Promise.all([
    findTeam(db, id),
    findMembers(db, [id]),
    findRolesNeeded(db, [id]),
  ])
  return row && toTeam(row, deps, rolesNeeded, members)
}

/** A team for its members, read in the transaction that changed it. */
export async function loadTeam(db: Reader, id: string, deps: ViewDeps): Promise<Team> {
  const team = await findWholeTeam(db, id, deps)
  if (!team) throw new Error(`team ${id} is missing in its own transaction`)
  return team
}
