import { appErrors, type Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useChallengeList } from './challenge-list.ts'
import { NO_FILTERS } from './filters.tsx'

/** The newest version of a challenge that was read, from the list or by its id. `missingError` is set once it is deleted. */
export function useCurrentChallenge(opened: Challenge) {
  const listed = useChallengeList(NO_FILTERS).rows.find(({ id }) => id === opened.id)
  const { data, error } = useQuery(trpc.challenges.get.queryOptions({ id: opened.id }, { enabled: !listed }))
  const [missingError, setMissingError] = useState<ClientFailure | null>(null)
  const failure = !listed && error ? failureOf(error) : null
  // Kept: a refetch clears the error of a query, and what is deleted does not come back.
  if (!missingError && failure?.code === appErrors.challengeMissing.code) setMissingError(failure)
  return { challenge: listed ?? data?.challenge ?? opened, missingError }
}
