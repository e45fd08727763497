/**
 * The first query of each route that a hash leads to. The build writes their URLs into the page, and public/boot.js sends the
 * one that the hash needs before any other script has loaded. The sections use the same inputs.
 */
export const FIRST_QUERIES = {
  // Full rows of three and of two.
  teams: { path: 'teams.list', input: { limit: 24, sort: 'name', order: 'asc' } },
  // As specified.
  challenges: { path: 'challenges.list', input: { limit: 50 } },
  // Full rows of three, and few, so that the leaderboard below is not far on a phone.
  works: { path: 'submissions.approved', input: { limit: 12, sort: 'newest' } },
  leaderboard: { path: 'teams.leaderboard', input: { limit: 100 } },
  contact: { path: 'system.settings' },
  dashboard: { path: 'users.dashboard' },
  admin: { path: 'admin.stats' },
} as const

/** What an infinite query adds to its input. */
const FIRST_PAGE = { direction: 'forward' }
const INFINITE: readonly string[] = ['teams', 'challenges', 'works', 'leaderboard']

/** The URL of a query outside a batch, as tRPC's `httpLink` writes it. */
export const queryUrl = (path: string, input?: unknown): string =>
  `/trpc/${path}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`

/** The URLs of the first queries, by route. */
export const firstQueryUrls = (): Record<keyof typeof FIRST_QUERIES, string> => {
  const entries = Object.entries(FIRST_QUERIES).map(([route, query]) => {
    const input = 'input' in query ? { ...query.input, ...(INFINITE.includes(route) && FIRST_PAGE) } : undefined
    return [route, queryUrl(query.path, input)]
  })
  return Object.fromEntries(entries) as Record<keyof typeof FIRST_QUERIES, string>
}
