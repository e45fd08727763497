import type { Tx } from '@community/db'
import { challengeReminders, submissions } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'

/** Whether the team has ever applied to the challenge. */
export async function hasApplied(tx: Tx, teamId: string, challengeId: string): Promise<boolean> {
  const some = await tx
    .select({ one: sql`1` })
    .from(submissions)
    .where(and(eq(submissions.teamId, teamId), eq(submissions.challengeId, challengeId)))
    .limit(1)
  return some.length > 0
}

export const insertReminder = (
  tx: Tx,
  reminder: { challengeId: string; teamId: string; createdBy: string },
): Promise<unknown> => tx.insert(challengeReminders).values(reminder).onConflictDoNothing()

export const deleteReminder = (
  tx: Tx,
  { challengeId, teamId }: { challengeId: string; teamId: string },
): Promise<unknown> =>
  tx
    .delete(challengeReminders)
    .where(and(eq(challengeReminders.challengeId, challengeId), eq(challengeReminders.teamId, teamId)))
