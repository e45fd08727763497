import type { SubmissionStats } from '@community/contract'
import type { Reader } from '@community/db'
import { readCounts } from '../pagination/counts.ts'

/** How many submissions there are, by state, and the average score of the approved ones to one decimal; null without any. */
export async function findSubmissionStats(db: Reader): Promise<SubmissionStats> {
  const count = await readCounts(db)
  const pendingSubmissions = count('submissions_pending')
  const approvedSubmissions = count('submissions_approved')
  const rejectedSubmissions = count('submissions_rejected')
  return {
    totalSubmissions: pendingSubmissions + approvedSubmissions + rejectedSubmissions,
    pendingSubmissions,
    approvedSubmissions,
    rejectedSubmissions,
    averageScore: approvedSubmissions === 0 ? null : Math.round((count('scores') / approvedSubmissions) * 10) / 10,
  }
}
