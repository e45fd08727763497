import { type Tx, wallClock } from '@community/db'
import { challenges, pointsLedger, submissions, teams } from '@community/db/schema'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'

/** Submissions whose teams one transaction takes, and deletes all of theirs: far below the statement timeout. */
const SUBMISSIONS_BATCH = 200
/** Ledger entries per transaction: far below the statement timeout. */
const LEDGER_BATCH = 5000

/** Locks the teams of the oldest submissions for a challenge, by id. */
export function lockNextApplyingTeams(tx: Tx, challengeId: string): Promise<{ id: string; name: string }[]> {
  const oldest = tx
    .select({ teamId: submissions.teamId })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
    .orderBy(asc(submissions.createdAt))
    .limit(SUBMISSIONS_BATCH)
    .as('oldest')
  return tx
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(inArray(teams.id, tx.select({ id: oldest.teamId }).from(oldest)))
    .orderBy(asc(teams.id))
    .for('update')
}

/** Hides a challenge that is being deleted, and closes it. */
export async function hideChallenge(tx: Tx, id: string): Promise<void> {
  const hidden = { deletedAt: wallClock, isActive: false, updatedAt: wallClock }
  await tx.update(challenges).set(hidden).where(eq(challenges.id, id))
}

/** Locks a challenge that `hideChallenge` hid. */
export async function lockHiddenChallenge(tx: Tx, id: string): Promise<{ id: string; title: string } | undefined> {
  const [row] = await tx
    .select({ id: challenges.id, title: challenges.title })
    .from(challenges)
    .where(and(eq(challenges.id, id), isNotNull(challenges.deletedAt)))
    .for('update')
  return row
}

/** Removes the challenge from the next entries of the ledger, as its deletion would; true if entries may be left. */
export async function detachLedgerEntries(tx: Tx, challengeId: string): Promise<boolean> {
  const next = tx
    .select({ id: pointsLedger.id })
    .from(pointsLedger)
    .where(eq(pointsLedger.challengeId, challengeId))
    .limit(LEDGER_BATCH)
  const detached = await tx
    .update(pointsLedger)
    .set({ challengeId: null })
    .where(inArray(pointsLedger.id, next))
    .returning({ id: pointsLedger.id })
  return detached.length === LEDGER_BATCH
}

export async function deleteChallengeRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(challenges).where(eq(challenges.id, id))
}
