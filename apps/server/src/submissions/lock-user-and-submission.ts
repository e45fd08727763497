import { appErrors } from '@community/contract'
import { prepared, type Reader, type Tx } from '@community/db'
import { submissions } from '@community/db/schema'
import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { selectChallengeForUpdate } from '../challenges/commands.ts'
import { AppError } from '../errors.ts'
import { selectTeamForUpdate } from '../teams/commands.ts'

const selectSubmissionForUpdate = (db: Reader, id: SQLWrapper) =>
  db
    // Not the texts: a verdict needs none of them.
    .select({
      id: submissions.id,
      teamId: submissions.teamId,
      challengeId: submissions.challengeId,
      submittedBy: submissions.submittedBy,
      status: submissions.status,
    })
    .from(submissions)
    .where(eq(submissions.id, id))
    .for('update')

const id = sql.placeholder('id')
const lockWithParents = prepared('submissions.lock-with-parents', (db) => {
  const teamId = db.select({ id: submissions.teamId }).from(submissions).where(eq(submissions.id, id))
  const team = db.$with('locked_team').as(selectTeamForUpdate(db, teamId))
  // Each id is read through the row locked before, which makes the order certain.
  const challengeId = sql`(select ${submissions.challengeId} from ${submissions}, ${team} where ${submissions.id} = ${id})`
  const challenge = db.$with('locked_challenge').as(selectChallengeForUpdate(db, challengeId))
  const ownId = sql`(select ${id}::uuid from ${challenge})`
  const submission = db.$with('locked_submission').as(selectSubmissionForUpdate(db, ownId))
  return db
    .with(team, challenge, submission)
    .select()
    .from(team)
    .innerJoin(challenge, sql`true`)
    .innerJoin(submission, sql`true`)
})

/** Locks team, challenge and submission in this order, in one statement; throws `submissionMissing` if one is missing. */
export async function lockSubmissionWithParents(tx: Tx, submissionId: string) {
  const [row] = await lockWithParents(tx, { id: submissionId })
  if (!row) throw new AppError(appErrors.submissionMissing)
  return { team: row.locked_team, challenge: row.locked_challenge, submission: row.locked_submission }
}
export type LockedSubmission = Awaited<ReturnType<typeof lockSubmissionWithParents>>['submission']
