import type { SubmissionStats } from '@community/contract'
import type { Reader } from '@community/db'
import { readCounts } from '../pagination/counts.ts'

/** Submission counts by status, and the average score of approved ones to one decimal; null if there are none. */
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
