import type { Tx } from '@community/db'
import { submissions } from '@community/db/schema'
import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { slotCondition } from '../submissions/status-conditions.ts'

/** The largest number of slots that a team uses in a challenge. */
export async function findMostSlotsUsed(tx: Tx, challengeId: string): Promise<number> {
  const [busiest] = await tx
    .select({ slots: count() })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), slotCondition))
    .groupBy(submissions.teamId)
    .orderBy(sql`count(*) desc`)
    .limit(1)
  return busiest?.slots ?? 0
}

/** True if a team that is not among `teamIds` applied to the challenge. */
export async function hasOtherTeams(tx: Tx, challengeId: string, teamIds: string[]): Promise<boolean> {
  const otherTeamCondition = sql`${submissions.teamId} <> all(${sql.param(teamIds)}::uuid[])`
  const found = await tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), otherTeamCondition))
    .limit(1)
  return found.length > 0
}

/** The ids of the teams with points from a challenge. */
export async function findTeamsWithPoints(tx: Tx, challengeId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ teamId: submissions.teamId })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), gt(submissions.points, -1)))
    .orderBy(asc(submissions.teamId))
  return rows.map(({ teamId }) => teamId)
}
