import { appErrors } from '@community/contract'
import { type LockingTx, prepared, type Reader } from '@community/db'
import { submissions } from '@community/db/schema'
import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { selectChallengeForUpdate } from '../challenges/commands.ts'
import { AppError } from '../errors.ts'
import { selectTeamForUpdate } from '../teams/commands.ts'
import { userLock } from '../teams/lock-user-and-team.ts'

const selectSubmissionForUpdate = (db: Reader, id: SQLWrapper) =>
  db
    // Without the text columns, which no caller needs.
    .select({
      id: submissions.id,
      teamId: submissions.teamId,
      challengeId: submissions.challengeId,
      submittedBy: submissions.submittedBy,
      status: submissions.status,
      evaluatedAt: submissions.evaluatedAt,
    })
    .from(submissions)
    .where(eq(submissions.id, id))
    .for('update')

const submissionId = sql.placeholder('submissionId')
const userAndSubmissionLock = prepared('submissions.lock-with-user', (db) => {
  const user = userLock(db)
  // Each id is selected through the CTE that locks the previous row, which fixes the lock order.
  const teamId = sql`(select ${submissions.teamId} from ${submissions}, ${user} where ${submissions.id} = ${submissionId})`
  const team = db.$with('locked_team').as(selectTeamForUpdate(db, teamId))
  const challengeId = sql`(select ${submissions.challengeId} from ${submissions}, ${team} where ${submissions.id} = ${submissionId})`
  const challenge = db.$with('locked_challenge').as(selectChallengeForUpdate(db, challengeId))
  const idAfterChallenge = sql`(select ${submissionId}::uuid from ${challenge})`
  const submission = db.$with('locked_submission').as(selectSubmissionForUpdate(db, idAfterChallenge))
  return (
    db
      .with(user, team, challenge, submission)
      .select()
      .from(user)
      // Left joins keep the user if the submission does not exist.
      .leftJoin(team, sql`true`)
      .leftJoin(challenge, sql`true`)
      .leftJoin(submission, sql`true`)
  )
})

/** Locks a user, then a submission's team, its challenge and the submission, in one statement; what does not exist is undefined. */
export async function lockUserAndSubmission(tx: LockingTx, userId: string, id: string) {
  const [row] = await userAndSubmissionLock(tx, { userId, submissionId: id })
  const { locked_user: user, locked_team: team, locked_challenge: challenge, locked_submission: submission } = row ?? {}
  return { user, work: team && challenge && submission ? { team, challenge, submission } : undefined }
}

type LockedWork = NonNullable<Awaited<ReturnType<typeof lockUserAndSubmission>>['work']>
export type LockedSubmission = LockedWork['submission']

/** Throws `submissionMissing` for a submission that was deleted. */
export function assertWork(work: LockedWork | undefined): LockedWork {
  if (!work) throw new AppError(appErrors.submissionMissing)
  return work
}
