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
