/** The specification reloads the lists 500 ms after an admin action, but neither statistics nor settings. */
export const AFTER_ADMIN_ACTION = {
  later: {
    ms: 500,
    invalidates: [
      'admin.announcements',
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
