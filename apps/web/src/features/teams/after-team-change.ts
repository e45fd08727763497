/** The queries to refresh after a change of a team or its members. */
export const AFTER_TEAM_CHANGE = ['challenges', 'submissions', 'teams', 'users'] as const
