import type { Tx } from '@community/db'
import { challenges, submissions, teams } from '@community/db/schema'
import { asc, eq, inArray } from 'drizzle-orm'

/** Locks the teams that applied to a challenge, by id; returns their ids. */
export async function lockApplyingTeams(tx: Tx, challengeId: string): Promise<string[]> {
  const teamsOfSubmissions = tx
    .select({ id: submissions.teamId })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(inArray(teams.id, teamsOfSubmissions))
    .orderBy(asc(teams.id))
    .for('update')
  return rows.map(({ id }) => id)
}

export async function deleteChallengeRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(challenges).where(eq(challenges.id, id))
}
