import type { Submission } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../lib/trpc.ts'

/** The submission as other administrators have left it; as it was given until it is loaded, and if it cannot be. */
export function useCurrentSubmission(given: Submission): Submission {
  const { data } = useQuery(trpc.submissions.get.queryOptions({ id: given.id }))
  // The cache may be older than the row of the list.
  return data && Date.parse(data.submission.updatedAt) >= Date.parse(given.updatedAt) ? data.submission : given
}
