import type { Submission } from '@community/contract'

/** When the team submitted it last. */
const submittedAt = ({ createdAt, resubmittedAt }: Submission): number => Date.parse(resubmittedAt ?? createdAt)

/** Whether the team has submitted `other` after this rejection, or got a later rejection for it. */
function isSupersededBy({ teamId, challengeId, evaluatedAt }: Submission, other: Submission): boolean {
  if (other.teamId.id !== teamId.id || other.challengeId.id !== challengeId.id || evaluatedAt === null) return false
  const rejectedAt = Date.parse(evaluatedAt)
  const isLaterRejection = other.status === 'rejected' && Date.parse(other.evaluatedAt ?? '') > rejectedAt
  return isLaterRejection || submittedAt(other) > rejectedAt
}

/**
 * Leaves out rejected submissions that the same team has followed up for the same challenge, and of several rejections all but the last.
 * A submission that was already waiting when another one was rejected does not hide it.
 */
export const hideSuperseded = (submissions: readonly Submission[]): Submission[] =>
  submissions.filter(
    (submission) => submission.status !== 'rejected' || !submissions.some((other) => isSupersededBy(submission, other)),
  )
