/**
 * Queries that the server answers alike for all users of a role, and so compresses. A batch of their own: one that also has a
 * user's own data is not compressed, because its length would reveal secrets.
 */
export const SHARED_QUERIES: ReadonlySet<string> = new Set([
  'challenges.active',
  'challenges.list',
  'roles.list',
  'submissions.stats',
  'system.page',
  'teams.leaderboard',
  'teams.list',
  'teams.pointsHistory',
])

/**
 * Queries of which the app shows what visitors see. The first page is requested without the token, also for signed-in users, because
 * only a visitor's response is compressed: 12 works take 3 kB in place of 12.
 */
export const PUBLIC_QUERIES: ReadonlySet<string> = new Set(['submissions.approved'])
