/** Refreshes the queries that show users by name or picture. The saved form shows its own response first. */
export const AFTER_PROFILE_CHANGE = {
  later: { ms: 0, invalidates: ['challenges', 'submissions', 'teams', 'users'] },
} as const
