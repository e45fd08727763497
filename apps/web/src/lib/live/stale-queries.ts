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
  teams: ['teams.list', 'teams.get'],
  leaderboard: ['teams.leaderboard', 'teams.standings', 'teams.pointsHistory', 'submissions.approved'],
  challenges: ['challenges'],
}
/** The queries of all events. */
export const ALL = [...new Set(Object.values(QUERIES).flat())]

/** Milliseconds over which many clients spread the requests after one public event. */
const SPREAD_MS = 700
/** The same for uncached reads, which every user with an open dashboard sends after a change of any team. */
const UNCACHED_SPREAD_MS = 30_000

const isTopic = (event: string): event is LiveTopic => Object.hasOwn(QUERIES, event)
const isPublic = (topic: LiveTopic): boolean => topic === 'teams' || topic === 'leaderboard' || topic === 'challenges'

async function refresh(paths: readonly string[]): Promise<void> {
  if (document.visibilityState === 'visible') return invalidate(queryClient, paths)
  // A response to an earlier request would count as new.
  await queryClient.cancelQueries({
    predicate: (query) => hasPath(paths)(query) && query.state.data !== undefined,
  })
  await invalidate(queryClient, paths, 'none')
}

/** Returns a function that refreshes paths after a delay, once for those of all calls until then. */
function createBatch(): (paths: readonly string[], delayMs: number) => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return (paths, delayMs) => {
    for (const path of paths) waiting.add(path)
    timer ??= setTimeout(() => {
      timer = undefined
      void refresh([...waiting])
      waiting.clear()
    }, delayMs)
  }
}
const refreshSoon = createBatch()
const refreshLater = createBatch()

/**
 * Invalidates the queries that a live event is about; `null` stands for every event. A visible tab refetches those on screen, a hidden one
 * does so when it is shown again.
 */
export function markStale(event: string | null): void {
  if (event !== null && !isTopic(event)) return
  const paths = event === null ? ALL : QUERIES[event]
  refreshSoon(paths, event === null || isPublic(event) ? Math.random() * SPREAD_MS : 0)
  if (event === 'teams') refreshLater(OWN_TEAMS, Math.random() * UNCACHED_SPREAD_MS)
}
