import type { Tx } from '@community/db'
import { submissions, teams } from '@community/db/schema'
import { and, asc, eq, exists, inArray, not, sql } from 'drizzle-orm'

/** Teams that one transaction deletes: far below the statement timeout. */
export const DELETED_TEAMS_BATCH = 500

const unsubmittedCondition = (tx: Tx) =>
  not(exists(tx.select({ one: sql`1` }).from(submissions).where(eq(submissions.teamId, teams.id))))

/** Locks the next teams without members and submissions, by id; returns their ids. */
export async function lockNextUnsubmittedTeams(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    // A team without members is inactive: the index on both columns finds them.
    .where(and(eq(teams.isActive, false), eq(teams.memberCount, 0), unsubmittedCondition(tx)))
    .orderBy(asc(teams.id))
    .limit(DELETED_TEAMS_BATCH)
    .for('update')
  return rows.map(({ id }) => id)
}

/** Deletes those of the locked teams that never submitted, and returns them. */
export function deleteUnsubmittedTeams(tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> {
  return tx
    .delete(teams)
    .where(and(inArray(teams.id, ids), unsubmittedCondition(tx)))
    .returning({ id: teams.id, name: teams.name })
}
