import type { Standing } from '@community/contract'
import { useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'

const NONE: readonly Standing[] = []

/** Where the reader's teams stand, the best first; none for visitors, nor while it is not known. */
export function useOwnStandings(): readonly Standing[] {
  const user = useUser()
  const query = trpc.teams.standings.useQuery(undefined, { enabled: user !== null })
  return (user && query.data?.standings) ?? NONE
}
