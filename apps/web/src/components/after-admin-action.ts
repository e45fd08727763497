/** What the specification has an administrator's action refresh: the lists, half a second later, without figures and settings. */
export const AFTER_ADMIN_ACTION = {
  later: {
    ms: 500,
    invalidates: [
      'admin.audit',
      'admin.blacklist',
      'admin.listChallenges',
      'admin.mails',
      'admin.warnings',
      'challenges',
      'submissions',
      'teams',
      'users',
    ],
  },
} as const
