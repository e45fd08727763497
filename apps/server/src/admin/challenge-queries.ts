import { onlyRow, type Tx } from '@community/db'
import { submissions } from '@community/db/schema'
import { and, asc, count, countDistinct, eq, inArray, sql } from 'drizzle-orm'
import { slotCondition } from '../submissions/status-conditions.ts'

/** The most submissions of one team in a challenge, of those that count towards `maxSubmissions`. */
export async function findMostSubmissionsOfTeam(tx: Tx, challengeId: string): Promise<number> {
  const [busiest] = await tx
    .select({ total: count() })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), slotCondition))
    .groupBy(submissions.teamId)
    .orderBy(sql`count(*) desc`)
    .limit(1)
  return busiest?.total ?? 0
}

/** The number of teams that applied to a challenge. */
export async function countApplyingTeams(tx: Tx, challengeId: string): Promise<number> {
  const rows = await tx
    .select({ teams: countDistinct(submissions.teamId) })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
  return onlyRow(rows).teams
}

/** True if a challenge has submissions. */
export async function hasSubmissions(tx: Tx, challengeId: string): Promise<boolean> {
  const found = await tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
    .limit(1)
  return found.length > 0
}

/** Those among these teams that applied to a challenge, and whether they have points from it. */
export function findApplyingTeams(tx: Tx, challengeId: string, teamIds: string[]) {
  return tx
    .select({ teamId: submissions.teamId, hasPoints: sql<boolean>`count(${submissions.points}) > 0` })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), inArray(submissions.teamId, teamIds)))
    .groupBy(submissions.teamId)
    .orderBy(asc(submissions.teamId))
}
