import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { lockChallengeOfSubmission } from '../challenges/commands.ts'
import { AppError } from '../errors.ts'
import { lockTeamOfSubmission } from '../teams/commands.ts'
import { lockSubmission } from './commands.ts'

/** A submission with its team and challenge, locked in the order in which everybody takes them. */
export async function lockWithPlace(tx: Tx, submissionId: string) {
  const [team, challenge, submission] = await Promise.all([
    lockTeamOfSubmission(tx, submissionId),
    lockChallengeOfSubmission(tx, submissionId),
    lockSubmission(tx, submissionId),
  ])
  if (!team || !challenge || !submission) throw new AppError(appErrors.submissionMissing)
  return { team, challenge, submission }
}
