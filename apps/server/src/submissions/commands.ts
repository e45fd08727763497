import { isoText, onlyRow, rawQuery, placeholders, prepared, type Tx, wallClock } from '@community/db'
import { submissionMembers, submissions, teamMembers } from '@community/db/schema'
import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { listenersCondition } from '../webhooks/event-commands.ts'
import type { LockedSubmission } from './lock-user-and-submission.ts'
import { ownTeamCondition } from './page-queries.ts'
import { pendingCondition, slotCondition } from './status-conditions.ts'

type NewSubmission = Pick<
  typeof submissions.$inferInsert,
  'id' | 'challengeId' | 'teamId' | 'submittedBy' | 'type' | 'content' | 'uploadId' | 'notes'
>

const values = placeholders(['id', 'challengeId', 'teamId', 'submittedBy', 'type', 'content', 'uploadId', 'notes'])
const submissionInsert = prepared(
  'submissions.insert',
  rawQuery<{ createdAt: string; updatedAt: string }>(sql`
    with inserted as (
      insert into submissions (id, challenge_id, team_id, submitted_by, type, content, upload_id, notes, created_at, updated_at)
      values (${values.id}, ${values.challengeId}, ${values.teamId}, ${values.submittedBy}, ${values.type}, ${values.content},
        ${values.uploadId}, ${values.notes}, clock_timestamp(), clock_timestamp()) returning id, team_id, challenge_id, created_at, updated_at),
    snapshot as (
      insert into submission_members (submission_id, user_id)
      select inserted.id, user_id from inserted join team_members using (team_id))
    update challenges set submission_count = submission_count + 1, updated_at = clock_timestamp()
    from inserted where challenges.id = inserted.challenge_id
    returning ${isoText(sql.raw('inserted.created_at'))} as "createdAt",
      ${isoText(sql.raw('inserted.updated_at'))} as "updatedAt"`),
)
/**
 * Inserts a pending submission with a snapshot of the team's current members, and increments the challenge's `submissionCount`. Returns
 * the times that the database sets.
 */
export async function insertSubmission(tx: Tx, submission: Required<NewSubmission>) {
  const row = onlyRow(await submissionInsert(tx, submission))
  return { createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
}

/** Replaces the snapshot with the current members, because resubmitting is a new application. */
export async function replaceSnapshot(tx: Tx, submissionId: string, teamId: string): Promise<void> {
  await tx.delete(submissionMembers).where(eq(submissionMembers.submissionId, submissionId))
  const members = tx
    .select({ submissionId: sql`${submissionId}::uuid`.as('submission_id'), userId: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, teamId))
  await tx.insert(submissionMembers).select(members)
}

/** Whether a member of the snapshot is also in that of another team's pending or approved submission for the challenge. */
export async function hasSnapshotMemberAppliedElsewhere(
  tx: Tx,
  { id, teamId, challengeId }: LockedSubmission,
): Promise<boolean> {
  const other = alias(submissionMembers, 'other')
  const overlap = await tx
    .select({ one: sql`1` })
    .from(submissionMembers)
    .innerJoin(other, eq(other.userId, submissionMembers.userId))
    .innerJoin(submissions, eq(submissions.id, other.submissionId))
    .where(
      and(
        eq(submissionMembers.submissionId, id),
        eq(submissions.challengeId, challengeId),
        ne(submissions.teamId, teamId),
        slotCondition,
      ),
    )
    .limit(1)
  return overlap.length > 0
}

/** The columns of a verdict while there is none. */
export const WITHOUT_VERDICT = {
  status: 'pending',
  score: null,
  points: null,
  feedback: null,
  evaluatedBy: null,
  evaluatedAt: null,
} as const

/** Resets a submission to pending and clears its verdict. It keeps its place among the pending ones unless it is resubmitted. */
export async function resetToPending(
  tx: Tx,
  submissionId: string,
  { isResubmission = false }: { isResubmission?: boolean } = {},
): Promise<void> {
  await tx
    .update(submissions)
    .set({ ...WITHOUT_VERDICT, updatedAt: wallClock, ...(isResubmission && { resubmittedAt: wallClock }) })
    .where(eq(submissions.id, submissionId))
}

const id = sql.placeholder('id')
const selectIsOrWasInTeam = prepared('submissions.is-or-was-in-team', (db) => {
  const userId = sql`${sql.placeholder('userId')}::uuid`
  const teamId = db.select({ id: submissions.teamId }).from(submissions).where(eq(submissions.id, id))
  return db
    .select({ isOrWasInTeam: ownTeamCondition(db, teamId, userId).mapWith(Boolean).as('is_or_was_in_team') })
    .from(sql`(select 1) as one`)
})
/** Whether the user is a member of the submission's team, was one, or is in the snapshot of any of its submissions. */
export async function isOrWasInTeam(tx: Tx, submissionId: string, userId: string): Promise<boolean> {
  const [row] = await selectIsOrWasInTeam(tx, { id: submissionId, userId })
  return row?.isOrWasInTeam ?? false
}

export interface Verdict {
  status: 'approved' | 'rejected'
  score: number | null
  points: number | null
  feedback: string | null
  evaluatedBy: string
}
const verdictUpdate = prepared('submissions.verdict', (db) =>
  db
    .update(submissions)
    .set({
      status: sql`${sql.placeholder('status')}`,
      score: sql`${sql.placeholder('score')}`,
      points: sql`${sql.placeholder('points')}`,
      feedback: sql`${sql.placeholder('feedback')}`,
      evaluatedBy: sql`${sql.placeholder('evaluatedBy')}`,
      evaluatedAt: wallClock,
      updatedAt: wallClock,
    })
    .where(and(eq(submissions.id, id), pendingCondition))
    .returning({
      evaluatedAt: submissions.evaluatedAt,
      updatedAt: submissions.updatedAt,
      hasListeners: listenersCondition(db, submissions.teamId),
    }),
)
/**
 * Writes a verdict on a pending submission. Returns `evaluatedAt` and `updatedAt`, which the database sets, and whether a webhook may
 * listen to the verdict; undefined if the submission already has one.
 */
export async function writeVerdict(tx: Tx, submissionId: string, verdict: Verdict) {
  const [row] = await verdictUpdate(tx, { ...verdict, id: submissionId })
  return row
}

/** Submissions that one transaction detaches from an account: far below the statement timeout. */
const DETACHED_BATCH = 1000
const byUserCondition = (userId: string) => or(eq(submissions.submittedBy, userId), eq(submissions.evaluatedBy, userId))

/**
 * Removes a user from what they submitted or evaluated, in the order of ids, as the deletion of the account would. Sets `updatedAt` too:
 * readers that follow `updatedSince` then fetch the work again, without the name.
 */
export async function detachSubmissions(tx: Tx, userId: string, ids?: string[]): Promise<void> {
  const locked = tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(and(byUserCondition(userId), ids && inArray(submissions.id, ids)))
    .orderBy(asc(submissions.id))
    .for('no key update')
  await tx
    .update(submissions)
    .set({
      submittedBy: sql`nullif(${submissions.submittedBy}, ${userId}::uuid)`,
      evaluatedBy: sql`nullif(${submissions.evaluatedBy}, ${userId}::uuid)`,
      updatedAt: wallClock,
    })
    .where(inArray(submissions.id, locked))
}

/** Detaches a batch of a user's submissions if they have more than that; false if it left them all. */
export async function detachExcessSubmissions(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(byUserCondition(userId))
    .limit(DETACHED_BATCH + 1)
  if (rows.length <= DETACHED_BATCH) return false
  const ids = rows.slice(0, DETACHED_BATCH).map(({ id: submissionId }) => submissionId)
  await detachSubmissions(tx, userId, ids)
  return true
}
