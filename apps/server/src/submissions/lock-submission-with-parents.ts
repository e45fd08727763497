import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { lockChallengeOfSubmission } from '../challenges/commands.ts'
import { AppError } from '../errors.ts'
import { lockTeamOfSubmission } from '../teams/commands.ts'
import { lockSubmission } from './commands.ts'

/** Locks team, challenge and submission in this order; throws `submissionMissing` if one is missing. */
export async function lockSubmissionWithParents(tx: Tx, submissionId: string) {
  const team = await lockTeamOfSubmission(tx, submissionId)
  const challenge = await lockChallengeOfSubmission(tx, submissionId)
  const submission = await lockSubmission(tx, submissionId)
  if (!team || !challenge || !submission) throw new AppError(appErrors.submissionMissing)
  return { team, challenge, submission }
}
