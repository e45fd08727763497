import { CreateTeamInput, nameKey, UpdateTeamInput } from '@community/contract'
import {
  type LockingTx,
  onlyRow,
  pickColumns,
  placeholders,
  prepared,
  type Reader,
  sharedColumns,
  type Tx,
  wallClock,
} from '@community/db'
import { pastMembers, roles, teamMembers, teamRolesNeeded, teams } from '@community/db/schema'
import { and, eq, getTableColumns, inArray, type SQLWrapper, sql } from 'drizzle-orm'
import { titledSearchText } from '../search/search-text.ts'
import { listenersCondition } from '../webhooks/event-commands.ts'
import { teamColumns, type TeamRow } from './queries.ts'

const idParam = sql.placeholder('id')
export const selectTeamForUpdate = (db: Reader, teamId: SQLWrapper) =>
  db.select(teamColumns).from(teams).where(eq(teams.id, teamId)).for('update')
const teamLock = prepared('teams.lock', (db) => selectTeamForUpdate(db, idParam))
/** Locks a team: hold this lock to read or change its members. */
export async function lockTeam(tx: Tx, teamId: string) {
  const [team] = await teamLock(tx, { id: teamId })
  return team
}
export type LockedTeam = NonNullable<Awaited<ReturnType<typeof lockTeam>>>

const membershipsByTeam = prepared('teams.memberships', (db) =>
  db
    .select({
      userId: teamMembers.userId,
      name: teamMembers.name,
      isChef: teamMembers.isChef,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, idParam)),
)
export const findMemberships = (tx: LockingTx, teamId: string) => membershipsByTeam(tx, { id: teamId })

export async function findExistingRoleIds(db: Reader, ids: string[]): Promise<Set<string>> {
  const existing = await db.select({ id: roles.id }).from(roles).where(inArray(roles.id, ids))
  return new Set(existing.map(({ id }) => id))
}

const changeableColumns = sharedColumns(teams, UpdateTeamInput.omit({ id: true }).shape)
/** Fields that a chef may change; omitted ones keep their value. */
export type TeamChange = Pick<UpdateTeamInput, keyof typeof changeableColumns>

/** Updates a locked team. A unique index rejects a taken name. */
export async function updateTeamRow(tx: Tx, team: LockedTeam, change: TeamChange): Promise<void> {
  const { name = team.name, description = team.description } = change
  await tx
    .update(teams)
    .set({
      ...pickColumns(change, changeableColumns),
      nameKey: nameKey(name),
      searchText: titledSearchText(name, description),
      updatedAt: wallClock,
    })
    .where(eq(teams.id, team.id))
}

/** Replaces the roles a team needs; their order is kept. */
export async function replaceRolesNeeded(tx: Tx, teamId: string, roleIds: string[]): Promise<void> {
  await tx.delete(teamRolesNeeded).where(eq(teamRolesNeeded.teamId, teamId))
  await insertRolesNeeded(tx, teamId, roleIds)
}

const insertRolesNeeded = (tx: Tx, teamId: string, roleIds: string[]) =>
  tx.insert(teamRolesNeeded).values(roleIds.map((roleId, position) => ({ teamId, roleId, position })))

export async function deleteTeamRow(tx: Tx, teamId: string): Promise<void> {
  await tx.delete(teams).where(eq(teams.id, teamId))
}

const createdColumns = sharedColumns(teams, CreateTeamInput.shape)
/** Fields of a team that its creator enters. */
export type NewTeam = Pick<CreateTeamInput, keyof typeof createdColumns>

/** Inserts a team with a member count of one for its owner, whom the same transaction inserts next. */
export async function insertTeam(tx: Tx, team: NewTeam, ownerId: string, roleIds: string[]): Promise<string> {
  const rows = await tx
    .insert(teams)
    .values({
      ...pickColumns(team, createdColumns),
      ownerId,
      nameKey: nameKey(team.name),
      searchText: titledSearchText(team.name, team.description),
      memberCount: 1,
    })
    .returning({ id: teams.id })
  const { id } = onlyRow(rows)
  await insertRolesNeeded(tx, id, roleIds)
  return id
}

type NewMember = Omit<typeof teamMembers.$inferInsert, 'id' | 'joinedAt'>

const { id: _memberId, joinedAt: _joinedAt, ...memberColumns } = getTableColumns(teamMembers)
const MEMBER_FIELDS = Object.keys(memberColumns) as (keyof typeof memberColumns)[]
const insertMemberQuery = (db: Reader) =>
  db
    .insert(teamMembers)
    .values({ ...placeholders(MEMBER_FIELDS), joinedAt: wallClock })
    .returning({ userId: teamMembers.userId })
const memberValues = ({ isChef = false, ...member }: NewMember) => {
  const fields = { ...member, isChef }
  return Object.fromEntries(MEMBER_FIELDS.map((name) => [name, fields[name] ?? null]))
}
const memberInsert = prepared('teams.insert-member', insertMemberQuery)
/** `joinedAt` is the wall clock rather than the start of the transaction, so that under the team's lock it follows the joining order. */
export async function insertMember(tx: Tx, member: NewMember): Promise<void> {
  await memberInsert(tx, memberValues(member))
}

const teamIdParam = sql.placeholder('teamId')
const memberAddition = prepared('teams.add-member', (db) =>
  db
    .with(db.$with('added').as(insertMemberQuery(db)))
    .update(teams)
    .set({ memberCount: sql`${teams.memberCount} + 1`, updatedAt: wallClock })
    .where(eq(teams.id, teamIdParam))
    .returning({ ...teamColumns, hasListeners: listenersCondition(db, teams.id) }),
)
/** Inserts a member of a locked team like `insertMember` and counts it. Returns the team's row, and whether a webhook may listen. */
export async function addMember(tx: Tx, member: NewMember): Promise<{ team: TeamRow; hasListeners: boolean }> {
  const { hasListeners, ...team } = onlyRow(await memberAddition(tx, memberValues(member)))
  return { team, hasListeners }
}

const [teamCondition, userCondition] = [
  eq(teamMembers.teamId, teamIdParam),
  eq(teamMembers.userId, sql.placeholder('userId')),
]

const chefReset = prepared('teams.reset-chef', (db) =>
  db
    .update(teamMembers)
    .set({ isChef: false })
    .where(and(teamCondition, eq(teamMembers.isChef, true))),
)
const chefSet = prepared('teams.make-chef', (db) =>
  db.update(teamMembers).set({ isChef: true }).where(and(teamCondition, userCondition)),
)
/** Makes a member the only chef. The caller updates the team's row. */
export async function setChef(tx: Tx, teamId: string, userId: string): Promise<void> {
  // Two statements: a single one could briefly set two chefs, which the unique index rejects.
  await Promise.all([chefReset(tx, { teamId }), chefSet(tx, { teamId, userId })])
}

interface TeamState {
  memberCount: number
  ownerId: string | null
  isActive: boolean
}
const newState = {
  memberCount: sql`${sql.placeholder('memberCount')}`,
  ownerId: sql`${sql.placeholder('ownerId')}`,
  isActive: sql`${sql.placeholder('isActive')}`,
  updatedAt: wallClock,
}
const teamStateUpdate = prepared('teams.update-state', (db) =>
  db.update(teams).set(newState).where(eq(teams.id, idParam)),
)
export async function updateTeamState(tx: Tx, teamId: string, changes: TeamState): Promise<void> {
  await teamStateUpdate(tx, { ...changes, id: teamId })
}

const memberRemoval = prepared('teams.remove-member', (db) => {
  const removed = db
    .$with('removed')
    .as(db.delete(teamMembers).where(and(teamCondition, userCondition)).returning({ userId: teamMembers.userId }))
  const recorded = db.$with('recorded').as(
    db
      .insert(pastMembers)
      .values(placeholders(['teamId', 'userId']))
      .onConflictDoUpdate({ target: [pastMembers.teamId, pastMembers.userId], set: { leftAt: sql`now()` } })
      .returning({ userId: pastMembers.userId }),
  )
  return db
    .with(removed, recorded)
    .update(teams)
    .set(newState)
    .where(eq(teams.id, teamIdParam))
    .returning({ hasListeners: listenersCondition(db, teams.id) })
})
/** Deletes a membership of a locked team, records it in `past_members` and updates the team. Returns whether a webhook may listen. */
export async function deleteMember(
  tx: Tx,
  membership: { teamId: string; userId: string },
  changes: TeamState,
): Promise<{ hasListeners: boolean }> {
  return onlyRow(await memberRemoval(tx, { ...changes, ...membership }))
}
