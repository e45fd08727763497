import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../lib/trpc.ts'

/** Enough for a list of what to do: one of these is probably not entered yet. */
const OPEN_CHALLENGES_INPUT = { limit: 20 }

/** The open challenges with the nearest deadlines. */
export const useOpenChallenges = () => useQuery(trpc.challenges.active.queryOptions(OPEN_CHALLENGES_INPUT))
