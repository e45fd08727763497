import { appErrors, type Submission } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'

interface CurrentSubmission {
  /** As it was given until it is loaded, and if it cannot be. */
  submission: Submission
  isDeleted: boolean
}

/** The submission as other administrators have left it. */
export function useCurrentSubmission(given: Submission): CurrentSubmission {
  const { data, error } = useQuery(trpc.submissions.get.queryOptions({ id: given.id }))
  // The cached response may be older than `given`, a row of a list that was loaded later.
  const isNewer = data !== undefined && Date.parse(data.submission.updatedAt) >= Date.parse(given.updatedAt)
  return {
    submission: isNewer ? data.submission : given,
    isDeleted: error !== null && failureOf(error).code === appErrors.submissionMissing.code,
  }
}
