import type { Standing } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'

const NONE: readonly Standing[] = []

/** The standings of the user's teams, the best first; empty for visitors and while loading. */
export function useOwnStandings(): readonly Standing[] {
  const user = useUser()
  const query = useQuery(trpc.teams.standings.queryOptions(undefined, { enabled: user !== null }))
  return (user && query.data?.standings) ?? NONE
}
