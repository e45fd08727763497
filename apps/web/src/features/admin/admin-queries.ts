/** The queries whose newest data "Last updated" shows. */
export const ADMIN_DATA = [
  'admin.announcements',
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
  'webhooks',
]

/** Every query of the admin area. */
export const ADMIN_QUERIES = [...ADMIN_DATA, 'admin.archiveImport', 'admin.settings', 'system.settings']
