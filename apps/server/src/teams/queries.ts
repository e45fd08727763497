import { Team, TeamMember } from '@community/contract'
import { type LockingTx, type Reader, prepared, sharedColumns } from '@community/db'
import { roles, teamMembers, teamRolesNeeded, teams, users } from '@community/db/schema'
import { and, asc, count, desc, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { preparePages, withTotal } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'
import { type PageSinceInput, updatedSinceCondition } from '../pagination/updated-since.ts'

export const teamColumns = sharedColumns(teams, Team.shape)

export const activeCondition = sql`${teams.isActive}`

export type TeamRow = Awaited<ReturnType<typeof teamById>>[number]
const teamById = prepared('teams.by-id', (db) =>
  db
    .select(teamColumns)
    .from(teams)
    .where(eq(teams.id, sql.placeholder('id'))),
)
export async function findTeam(db: Reader, id: string): Promise<TeamRow | undefined> {
  const [team] = await teamById(db, { id })
  return team
}

const viewerMember = alias(teamMembers, 'viewer_member')
const byName = listOrder('teams.of-user', [
  { expression: teams.nameKey, type: 'text' },
  { expression: teams.id, type: 'uuid' },
])
const ofUserCondition = (db: Reader) =>
  and(
    eq(teamMembers.userId, sql.placeholder('userId')),
    or(
      activeCondition,
      sql`${sql.placeholder('seesInactive')}::boolean`,
      exists(
        db
          .select({ one: sql`1` })
          .from(viewerMember)
          .where(and(eq(viewerMember.teamId, teams.id), eq(viewerMember.userId, sql.placeholder('viewerId')))),
      ),
    ),
    updatedSinceCondition(teams.updatedAt, sql.placeholder('updatedSince')),
  )
const teamsOfUser = preparePages('teams.of-user', byName, (db, { after, limit, offset }) =>
  db
    .select({ ...teamColumns, key: byName.key })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(ofUserCondition(db), after))
    .orderBy(...byName.orderBy)
    .limit(limit)
    .offset(offset),
)
const totalOfUser = prepared('teams.of-user.total', (db) =>
  db
    .select({ total: count() })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(ofUserCondition(db)),
)
interface TeamsOfUserInput extends PageSinceInput {
  userId: string
  viewer: { id: string; seesInactive: boolean }
}
const valuesOf = ({ userId, viewer, updatedSince }: TeamsOfUserInput) => ({
  userId,
  viewerId: viewer.id,
  seesInactive: viewer.seesInactive,
  updatedSince: updatedSince ?? null,
})
/** The teams of a user by name; inactive ones only if the viewer may see them. */
export const findTeamsOfUser = (db: Reader, input: TeamsOfUserInput) => teamsOfUser(db, input, valuesOf(input))
/** The same with their total. */
export const findPageOfUserTeams = (db: Reader, input: TeamsOfUserInput) =>
  withTotal(findTeamsOfUser(db, input), totalOfUser(db, valuesOf(input)))

const userById = prepared('teams.user-exists', (db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)
export const userExists = async (db: Reader, id: string): Promise<boolean> => (await userById(db, { id })).length > 0

const roleColumns = { id: roles.id, name: roles.name, emoji: roles.emoji }
const teamId = sql.placeholder('teamId')
export const teamIdsParam = sql`${sql.placeholder('teamIds')}::uuid[]`

const selectMembers = (db: Reader, condition: SQL) =>
  db
    .select({
      ...sharedColumns(teamMembers, TeamMember.shape),
      teamId: teamMembers.teamId,
      avatarUrl: users.avatarUrl,
      accountName: users.name,
      isAccountEmail: sql<boolean>`${users.email} = ${teamMembers.email}`,
      role: roleColumns,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .leftJoin(roles, eq(roles.id, teamMembers.roleId))
    .where(condition)
    .orderBy(desc(teamMembers.isChef), asc(teamMembers.joinedAt), asc(teamMembers.userId))
const membersOfTeams = prepared('teams.members', (db) =>
  selectMembers(db, sql`${teamMembers.teamId} = any(${teamIdsParam})`),
)
// A separate statement for one team: the `any(...)` form is replanned for each list, which takes two thirds of its time.
const membersOfTeam = prepared('teams.members-of-one', (db) => selectMembers(db, eq(teamMembers.teamId, teamId)))
export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number]
/** The members of the given teams: the chef first, then by joining time. */
export const findMembers = (db: Reader, teamIds: string[]) =>
  teamIds.length === 1 ? membersOfTeam(db, { teamId: teamIds[0] }) : membersOfTeams(db, { teamIds })

const selectRolesNeeded = (db: Reader, condition: SQL) =>
  db
    .select({ teamId: teamRolesNeeded.teamId, ...roleColumns })
    .from(teamRolesNeeded)
    .innerJoin(roles, eq(roles.id, teamRolesNeeded.roleId))
    .where(condition)
    .orderBy(asc(teamRolesNeeded.position), asc(roles.id))
const rolesOfTeams = prepared('teams.roles-needed', (db) =>
  selectRolesNeeded(db, sql`${teamRolesNeeded.teamId} = any(${teamIdsParam})`),
)
const rolesOfTeam = prepared('teams.roles-needed-by-one', (db) =>
  selectRolesNeeded(db, eq(teamRolesNeeded.teamId, teamId)),
)
export type RoleNeededRow = Awaited<ReturnType<typeof findRolesNeeded>>[number]
export const findRolesNeeded = (db: Reader | LockingTx, teamIds: string[]) =>
  teamIds.length === 1 ? rolesOfTeam(db, { teamId: teamIds[0] }) : rolesOfTeams(db, { teamIds })
