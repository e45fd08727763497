import type { AuditTarget } from '@community/contract'
import { msg } from '../../lib/i18n.ts'

/** English labels of the audited actions; translate with `t`. An action without a label is shown by its own name. */
export const AUDIT_LABELS: Record<string, string> = {
  'admin.warn': msg('Gave a warning'),
  'admin.takeWarningBack': msg('Removed a warning'),
  'admin.ban': msg('Banned a user'),
  'admin.unban': msg('Unbanned a user'),
  'admin.deleteUser': msg('Deleted a user'),
  'admin.setRole': msg('Changed a role'),
  'users.createToken': msg('Created an access token'),
  'users.useToken': msg('Read data with an access token'),
  'admin.deleteTeam': msg('Deleted a team'),
  'admin.renameTeam': msg('Renamed a team'),
  'admin.removeTeamMember': msg('Removed a member from a team'),
  'admin.activateTeam': msg('Activated a team'),
  'admin.deactivateTeam': msg('Deactivated a team'),
  'admin.cleanupTeams': msg('Cleaned up teams'),
  'teams.update': msg('Edited a team'),
  'teams.remove': msg('Deleted a team on behalf of its chef'),
  'teams.removeMember': msg('Removed a member on behalf of the chef'),
  'teams.transferOwnership': msg('Changed a team’s chef'),
  'admin.createChallenge': msg('Created a challenge'),
  'admin.updateChallenge': msg('Edited a challenge'),
  'admin.activateChallenge': msg('Activated a challenge'),
  'admin.deactivateChallenge': msg('Deactivated a challenge'),
  'admin.deleteChallenge': msg('Deleted a challenge'),
  'submissions.evaluate': msg('Evaluated a submission'),
  'submissions.resetEvaluation': msg('Reset an evaluation'),
  'submissions.remove': msg('Deleted a submission'),
  'admin.addToBlacklist': msg('Added an address to the blacklist'),
  'admin.removeFromBlacklist': msg('Removed an address from the blacklist'),
  'admin.setTeamCreation': msg('Changed the team creation setting'),
  'admin.setPage': msg('Edited a page'),
  'admin.exportCsv': msg('Downloaded a table'),
  'admin.exportAll': msg('Downloaded all data'),
  'admin.startImport': msg('Began to import an archive'),
  'admin.cancelImport': msg('Cancelled or dismissed an import'),
  'admin.announce': msg('Published an announcement'),
  'admin.cancelAnnouncement': msg('Deleted an announcement'),
  'admin.retryMail': msg('Resent an email'),
  'admin.confirmPassword': msg('Failed a password check'),
  'roles.create': msg('Created a role'),
  'webhooks.create': msg('Created a webhook'),
  'webhooks.update': msg('Edited a webhook'),
  'webhooks.rotateSecret': msg('Replaced a webhook’s secret'),
  'webhooks.remove': msg('Deleted a webhook'),
}

export const AUDIT_ACTIONS = Object.keys(AUDIT_LABELS)

/** English labels of the audited error codes. */
export const RESULT_LABELS: Record<string, string> = {
  WRONG_PASSWORD: msg('Wrong password'),
  ADMIN_PASSWORD_LOCKED: msg('Too many wrong passwords'),
}

/** English labels of the kinds of targets. */
export const TARGET_LABELS: Record<string, string> = {
  user: msg('User'),
  team: msg('Team'),
  challenge: msg('Challenge'),
  submission: msg('Submission'),
  announcement: msg('Announcement'),
  mail: msg('{mail, select, other {Email}}'),
  webhook: msg('Webhook'),
  role: msg('Role'),
  blacklist: msg('Blacklist'),
  settings: msg('Settings'),
  import: msg('{target, select, other {Import}}'),
} satisfies Record<AuditTarget, string>

/** Details that name the target of an action, the most specific first. */
const SUBJECT_KEYS = ['name', 'title', 'email', 'recipient', 'url', 'reason']

/** The name of the entry's target; null if the entry has none. */
export function subjectOf(details: Record<string, unknown>): string | null {
  const subject = SUBJECT_KEYS.map((key) => details[key]).find((value) => typeof value === 'string' && value !== '')
  return typeof subject === 'string' ? subject : null
}
