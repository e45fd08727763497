/**
 * What to refresh after a change of a team or its members. The action stays pending for `invalidates`, which its dialog, its card and the
 * dashboard show; the rest is refreshed without making the user wait.
 */
export const AFTER_TEAM_CHANGE = {
  invalidates: ['teams.get', 'teams.list', 'users'],
  later: {
    ms: 0,
    invalidates: [
      'challenges',
      'submissions',
      'teams.leaderboard',
      'teams.pointsHistory',
      'teams.standings',
      'teams.submissions',
    ],
  },
} as const
