/** Queries outside the team's dialog, its card and the dashboard. */
const ELSEWHERE = ['challenges', 'submissions', 'teams.leaderboard', 'teams.pointsHistory', 'teams.standings'] as const

/**
 * Options of `useAction` for a change of a team or its members. The action stays pending until the queries of `invalidates` are fetched
 * again, which the team's dialog, its card and the dashboard show; those of `later` are fetched in the background.
 */
export const AFTER_TEAM_CHANGE = {
  invalidates: ['teams.get', 'teams.list', 'users'],
  later: { ms: 0, invalidates: [...ELSEWHERE, 'teams.submissions'] },
} as const

/** The same for a deletion. Without `teams.get` and `teams.submissions`, which would fail in the still open dialog of the team. */
export const AFTER_TEAM_DELETION = { later: { ms: 0, invalidates: [...ELSEWHERE, 'teams.list', 'users'] } } as const
