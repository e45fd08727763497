import { type ChallengeChange, ChallengeInput } from '@community/contract'
import {
  type LockingTx,
  onlyRow,
  pickColumns,
  prepared,
  type Reader,
  sharedColumns,
  type Tx,
  wallClock,
} from '@community/db'
import { challenges, submissionMembers, submissions, teamMembers } from '@community/db/schema'
import { and, count, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { titledSearchText } from '../search/search-text.ts'
import { slotCondition } from '../submissions/status-conditions.ts'
import { userAndTeamLocks } from '../teams/lock-user-and-team.ts'
import { listenersCondition } from '../webhooks/event-commands.ts'
import { type ChallengeRow, challengeColumns } from './queries.ts'

const databaseClock = prepared('database.clock', (db) =>
  db.select({ now: sql`${wallClock}`.mapWith(challenges.deadline).as('now') }).from(sql`(select 1) as one`),
)
/** The database's current time, not the start of the transaction: deadlines are compared with it. */
export async function readDatabaseClock(db: Reader): Promise<Date> {
  return onlyRow(await databaseClock(db)).now
}

const idParam = sql.placeholder('id')
/** Only the columns that rules and the search text need: applications lock a challenge often, and its lists are long. */
const LOCKED_COLUMNS = {
  id: challenges.id,
  title: challenges.title,
  description: challenges.description,
  isActive: challenges.isActive,
  deadline: challenges.deadline,
  points: challenges.points,
  maxSubmissions: challenges.maxSubmissions,
}
export const selectChallengeForUpdate = (db: Reader, challengeId: SQLWrapper) =>
  db
    .select(LOCKED_COLUMNS)
    .from(challenges)
    .where(and(eq(challenges.id, challengeId), isNull(challenges.deletedAt)))
    .for('update')
const challengeLock = prepared('challenges.lock', (db) => selectChallengeForUpdate(db, idParam))
/** Locks a challenge; a team is locked before it (docs/architecture.md, Lock order). Hold this lock to count its submissions or change its state. */
export async function lockChallenge(tx: Tx, id: string) {
  const [row] = await challengeLock(tx, { id })
  return row
}
export type LockedChallenge = NonNullable<Awaited<ReturnType<typeof lockChallenge>>>

const applicationLock = prepared('challenges.lock-application', (db) => {
  const { user, team } = userAndTeamLocks(db)
  const challengeId = sql`(select ${sql.placeholder('challengeId')}::uuid from ${team})`
  const challenge = db.$with('locked_challenge').as(selectChallengeForUpdate(db, challengeId))
  // Left joins keep the row if the team or challenge does not exist.
  return db.with(user, team, challenge).select().from(user).leftJoin(team, sql`true`).leftJoin(challenge, sql`true`)
})
/** Locks a user, then a team, then a challenge, in one statement. Stops at the first that does not exist: it and the rest are undefined. */
export async function lockApplication(tx: LockingTx, ids: { userId: string; teamId: string; challengeId: string }) {
  const [row] = await applicationLock(tx, ids)
  return {
    user: row?.locked_user,
    team: row?.locked_team ?? undefined,
    challenge: row?.locked_challenge ?? undefined,
  }
}

const applicationState = prepared('challenges.application-state', (db) => {
  const teamId = sql`${sql.placeholder('teamId')}::uuid`
  const challengeId = sql`${sql.placeholder('challengeId')}::uuid`
  const usedSlots = db
    .select({ usedSlots: count() })
    .from(submissions)
    .where(and(eq(submissions.teamId, teamId), eq(submissions.challengeId, challengeId), slotCondition))
  const otherTeamSubmission = db
    .select({ one: sql`1` })
    .from(submissions)
    .innerJoin(submissionMembers, eq(submissionMembers.submissionId, submissions.id))
    .innerJoin(teamMembers, and(eq(teamMembers.userId, submissionMembers.userId), eq(teamMembers.teamId, teamId)))
    .where(and(eq(submissions.challengeId, challengeId), sql`${submissions.teamId} <> ${teamId}`, slotCondition))
  return db
    .select({
      now: sql`${wallClock}`.mapWith(challenges.deadline).as('now'),
      usedSlots: sql<number>`(${usedSlots})::int`.as('used_slots'),
      hasMemberAppliedElsewhere: sql<boolean>`exists (${otherTeamSubmission})`.as('has_member_applied_elsewhere'),
      hasListeners: listenersCondition(db, teamId).as('has_listeners'),
    })
    .from(sql`(select 1) as one`)
})
/**
 * The current time, the team's used slots, whether a member has applied with another team, and whether a webhook may listen. Call it
 * while holding the locks of the team and the challenge, so that these cannot change.
 */
export async function readApplicationState(tx: LockingTx, teamId: string, challengeId: string) {
  return onlyRow(await applicationState(tx, { teamId, challengeId }))
}
export type ApplicationState = Awaited<ReturnType<typeof readApplicationState>>

// Without `deadline`, which is converted from an ISO string.
const { deadline: _deadline, ...columnsWithoutDeadline } = sharedColumns(challenges, ChallengeInput.shape)

/** Inserts a challenge and returns its row. */
export async function insertChallenge(
  tx: Tx,
  { deadline, ...fields }: ChallengeInput,
  createdBy: string,
): Promise<ChallengeRow> {
  const rows = await tx
    .insert(challenges)
    .values({
      ...pickColumns(fields, columnsWithoutDeadline),
      deadline: new Date(deadline),
      createdBy,
      searchText: titledSearchText(fields.title, fields.description),
    })
    .returning(challengeColumns)
  return onlyRow(rows)
}

/** Updates a locked challenge and returns its row. Omitted fields keep their value. */
export async function updateChallengeRow(
  tx: Tx,
  challenge: LockedChallenge,
  { deadline, ...change }: ChallengeChange,
): Promise<ChallengeRow> {
  const { title = challenge.title, description = challenge.description } = change
  const rows = await tx
    .update(challenges)
    .set({
      ...pickColumns(change, columnsWithoutDeadline),
      ...(deadline !== undefined && { deadline: new Date(deadline) }),
      searchText: titledSearchText(title, description),
      updatedAt: wallClock,
    })
    .where(eq(challenges.id, challenge.id))
    .returning(challengeColumns)
  return onlyRow(rows)
}
