import { trpc } from '../../lib/trpc.ts'

/** Enough for a list of what to do: one of these is probably not entered yet. */
const OPEN_CHALLENGES_INPUT = { limit: 20 }

/** The open challenges with the nearest deadlines. */
export const useOpenChallenges = () => trpc.challenges.active.useQuery(OPEN_CHALLENGES_INPUT)
