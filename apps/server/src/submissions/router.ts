import type { DomainUseCases } from '../trpc/init.ts'
import { deleteSubmission } from './delete-submission.ts'
import { evaluateSubmission } from './evaluate-submission.ts'
import { getSubmission } from './get-submission.ts'
import { listPending, listSubmissions, listWorks } from './list-submissions.ts'
import { getSubmissionStats, listHighestScored } from './public-stats.ts'
import { resetEvaluation } from './reset-evaluation.ts'
import { resubmit } from './resubmit.ts'

export const submissionsUseCases: DomainUseCases<'submissions'> = {
  list: listSubmissions,
  pending: listPending,
  approved: listWorks,
  get: getSubmission,
  evaluate: evaluateSubmission,
  leaderboard: listHighestScored,
  stats: getSubmissionStats,
  remove: deleteSubmission,
  setStatus: resubmit,
  resetEvaluation,
}
