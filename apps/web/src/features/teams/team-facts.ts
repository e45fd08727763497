import type { Team, TeamView } from '@community/contract'
import { formatNumber } from '../../lib/format.ts'
import { type Translate } from '../../lib/i18n.ts'

/** Whether the user got every field of the team; visitors get a card only. */
export const isFullTeam = (team: TeamView): team is Team => 'members' in team

/** "3 members / 5". */
export function formatMemberCount(t: Translate, { memberCount, maxMembers }: Team): string {
  const members = t('{count, plural, one {# member} other {# members}}', { count: memberCount })
  return `${members} / ${formatNumber(maxMembers)}`
}
