import type { Tx } from '@community/db'
import { submissions, teams } from '@community/db/schema'
import { and, asc, eq, exists, inArray, not, sql } from 'drizzle-orm'

/** Locks the teams without members, by id; returns their ids. */
export async function lockEmptyTeams(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.memberCount, 0))
    .orderBy(asc(teams.id))
    .for('update')
  return rows.map(({ id }) => id)
}

/** Deletes those of the locked teams that never submitted, and returns them. */
export function deleteUnsubmittedTeams(tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> {
  const teamSubmissions = tx.select({ one: sql`1` }).from(submissions).where(eq(submissions.teamId, teams.id))
  return tx
    .delete(teams)
    .where(and(inArray(teams.id, ids), not(exists(teamSubmissions))))
    .returning({ id: teams.id, name: teams.name })
}
