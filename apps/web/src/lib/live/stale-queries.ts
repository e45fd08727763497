import type { LiveTopic } from '@community/contract'
import { hasPath, invalidate } from '../invalidate.ts'
import { queryClient } from '../query-client.ts'

/** What a person sees of their own teams. A removed member, or those of a deleted team, get no `team` event. */
const OWN_TEAMS = ['users.dashboard', 'users.teams', 'teams.submissions']

/** The queries that an event makes stale, by path prefix. */
const QUERIES: Record<LiveTopic, readonly string[]> = {
  notifications: ['notifications', ...OWN_TEAMS],
  team: ['teams', 'submissions', 'challenges', 'users.dashboard', 'users.teams'],
  submissions: ['submissions', 'admin.stats'],
  teams: ['teams.list', 'teams.get', ...OWN_TEAMS],
  leaderboard: ['teams.leaderboard', 'teams.standings', 'teams.pointsHistory', 'submissions.approved'],
  challenges: ['challenges'],
}
const ALL = [...new Set(Object.values(QUERIES).flat())]

/** Milliseconds over which many clients spread the requests after one public event. */
const SPREAD_MS = 700

const isTopic = (event: string): event is LiveTopic => Object.hasOwn(QUERIES, event)
const isPublic = (topic: LiveTopic): boolean => topic === 'teams' || topic === 'leaderboard' || topic === 'challenges'

const waiting = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

async function flush(): Promise<void> {
  const paths = [...waiting]
  waiting.clear()
  timer = undefined
  if (document.visibilityState === 'visible') return invalidate(queryClient, paths)
  // A response to an earlier request would count as new.
  await queryClient.cancelQueries({
    predicate: (query) => hasPath(paths)(query) && query.state.data !== undefined,
  })
  await invalidate(queryClient, paths, 'none')
}

/** Marks the queries of an event as stale, `null` those of all events. A visible tab soon fetches those on screen, a hidden one once it is shown. */
export function markStale(event: string | null): void {
  if (event !== null && !isTopic(event)) return
  for (const path of event === null ? ALL : QUERIES[event]) waiting.add(path)
  timer ??= setTimeout(() => void flush(), event === null || isPublic(event) ? Math.random() * SPREAD_MS : 0)
}
