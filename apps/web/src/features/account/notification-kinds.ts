import type { NotificationKindName } from '@community/contract'
import { msg } from '../../lib/i18n.ts'

/** What happened, by kind, as the preferences name it; to translate. */
export const KIND_NAMES: Record<NotificationKindName, string> = {
  'team.member.joined': msg('A member joins'),
  'team.member.left': msg('A member leaves'),
  'team.member.removed': msg('You are removed from a team'),
  'team.chef': msg('You become chef'),
  'team.renamed': msg('An administrator renames a team'),
  'team.deactivated': msg('An administrator deactivates a team'),
  'team.deleted': msg('A team is deleted'),
  'team.top-three': msg('A team enters the top three'),
  'submission.approved': msg('Work is approved'),
  'submission.rejected': msg('Work is rejected'),
  'submission.reset': msg('Work will be evaluated again'),
  'submission.deleted': msg('Work is deleted'),
  'challenge.published': msg('A new challenge'),
  'challenge.deadline-moved': msg('A deadline changes'),
  'challenge.deleted': msg('A challenge with your work is deleted'),
  'challenge.reminder': msg('A deadline is near'),
  'account.warned': msg('A warning'),
  'account.role-changed': msg('Your role changes'),
  'account.new-device': msg('A sign-in from a new device'),
  'account.mail-paused': msg('Emails to you are paused'),
  announcement: msg('Announcements by administrators'),
}

// Not from the catalogue, whose schemas the first script does not load.
export const NEVER_MAILED: readonly NotificationKindName[] = ['account.mail-paused']

const GROUPS = [
  { title: msg('Your teams'), start: 'team.' },
  { title: msg('Your work'), start: 'submission.' },
  { title: msg('Challenges'), start: 'challenge.' },
  { title: msg('Account and community'), start: '' },
]

/** The preferences by subject, each with its title to translate. */
export function groupByKind<P extends { kind: NotificationKindName }>(preferences: readonly P[]) {
  const groupOf = ({ kind }: P) => GROUPS.find(({ start }) => kind.startsWith(start))
  return GROUPS.map((group) => ({
    title: group.title,
    preferences: preferences.filter((preference) => groupOf(preference) === group),
  }))
}
