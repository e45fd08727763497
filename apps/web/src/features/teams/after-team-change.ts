/** What a change of a team or of its members makes stale. */
export const AFTER_TEAM_CHANGE = ['challenges', 'submissions', 'teams', 'users'] as const
