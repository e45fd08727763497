/** Figures and lists of the admin area: what "Last updated" tells of. */
export const ADMIN_DATA = [
  'admin.audit',
  'admin.blacklist',
  'admin.listChallenges',
  'admin.mails',
  'admin.stats',
  'admin.warnings',
  'submissions.list',
  'submissions.pending',
  'teams.list',
  'users.get',
  'users.list',
  'users.teams',
]

/** Anything the admin area shows. */
export const ADMIN_QUERIES = [...ADMIN_DATA, 'admin.settings', 'system.settings']
