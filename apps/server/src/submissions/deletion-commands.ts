import { type Tx, wallClock } from '@community/db'
import { challenges, submissions, teams, uploads } from '@community/db/schema'
import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { objectKeys } from '../previews/preview.ts'

/** Locks the challenges a team has submissions for, in id order to avoid deadlocks. */
async function lockChallengesOf(tx: Tx, teamId: string): Promise<void> {
  const challengesOfTeam = tx
    .select({ id: submissions.challengeId })
    .from(submissions)
    .where(eq(submissions.teamId, teamId))
  await tx
    .select({ id: challenges.id })
    .from(challenges)
    .where(inArray(challenges.id, challengesOfTeam))
    .orderBy(asc(challenges.id))
    .for('update')
}

/** Subtracts deleted submissions from the counts of locked challenges, in one statement: a team may have applied to thousands. */
async function decreaseCounts(tx: Tx, countByChallenge: Map<string, number>): Promise<void> {
  await tx.execute(sql`
    update ${challenges} set submission_count = submission_count - deleted.amount, updated_at = ${wallClock}
    from unnest(${sql.param([...countByChallenge.keys()])}::uuid[], ${sql.param([...countByChallenge.values()])}::int[]) as deleted (id, amount)
    where ${challenges.id} = deleted.id`)
}

/**
 * Deletes submissions with the rows of their files, updates the challenges' counts and marks the teams as changed. Returns the keys of the
 * objects to remove after the commit. The caller holds the locks on teams and challenges and recalculates the standings.
 */
async function deleteSubmissions(tx: Tx, condition: SQL): Promise<string[]> {
  const deleted = await tx
    .delete(submissions)
    .where(condition)
    .returning({ teamId: submissions.teamId, challengeId: submissions.challengeId, uploadId: submissions.uploadId })
  const countByChallenge = new Map<string, number>()
  for (const { challengeId } of deleted) countByChallenge.set(challengeId, (countByChallenge.get(challengeId) ?? 0) + 1)
  await decreaseCounts(tx, countByChallenge)
  // Their dashboards show the submissions.
  const teamIds = [...new Set(deleted.map(({ teamId }) => teamId))]
  await tx.update(teams).set({ updatedAt: wallClock }).where(inArray(teams.id, teamIds))
  const uploadIds = deleted.flatMap(({ uploadId }) => uploadId ?? [])
  if (uploadIds.length === 0) return []
  const files = await tx
    .delete(uploads)
    .where(inArray(uploads.id, uploadIds))
    .returning({ key: uploads.key, preview: uploads.preview })
  return files.flatMap(objectKeys)
}

/** Deletes all submissions of a locked team. Returns the keys of the objects to remove after the commit. */
export async function deleteTeamSubmissions(tx: Tx, teamId: string): Promise<string[]> {
  await lockChallengesOf(tx, teamId)
  return deleteSubmissions(tx, eq(submissions.teamId, teamId))
}

/** Deletes a submission. Returns the keys of the objects to remove after the commit. */
export const deleteSubmissionRow = (tx: Tx, id: string): Promise<string[]> =>
  deleteSubmissions(tx, eq(submissions.id, id))

/** Deletes the submissions of locked teams for a locked challenge. Returns the keys of the objects to remove after the commit. */
export const deleteChallengeSubmissions = (tx: Tx, challengeId: string, teamIds: string[]): Promise<string[]> =>
  deleteSubmissions(tx, sql`${submissions.challengeId} = ${challengeId} and ${inArray(submissions.teamId, teamIds)}`)
