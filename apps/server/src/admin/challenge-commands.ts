import type { Tx } from '@community/db'
import { challenges, submissions, teams } from '@community/db/schema'
import { asc, eq, inArray } from 'drizzle-orm'

/** Locks the teams that applied to a challenge, by id. */
export function lockApplyingTeams(tx: Tx, challengeId: string): Promise<{ id: string; name: string }[]> {
  const teamsOfSubmissions = tx
    .select({ id: submissions.teamId })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
  return tx
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(inArray(teams.id, teamsOfSubmissions))
    .orderBy(asc(teams.id))
    .for('update')
}

export async function deleteChallengeRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(challenges).where(eq(challenges.id, id))
}
