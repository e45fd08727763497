/** What shows people by name or picture; the form that was saved shows its own answer before that. */
export const AFTER_PROFILE_CHANGE = {
  later: { ms: 0, invalidates: ['challenges', 'submissions', 'teams', 'users'] },
} as const
