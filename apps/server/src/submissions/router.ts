import type { DomainUseCases } from '../trpc.ts'
import { evaluateSubmission } from './evaluate-submission.ts'
import { getSubmission } from './get-submission.ts'
import { listPending, listSubmissions, listWorks } from './list-submissions.ts'

export const submissionsUseCases: DomainUseCases<'submissions'> = {
  list: listSubmissions,
  pending: listPending,
  approved: listWorks,
  get: getSubmission,
  evaluate: evaluateSubmission,
}
