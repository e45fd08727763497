import type { Experience, Team, TeamView } from '@community/contract'
import { formatNumber, type Translate } from '../../lib/i18n.ts'

/** Whether the caller was shown all of a team; visitors are shown a card only. */
export const isShownWhole = (team: TeamView): team is Team => 'members' in team

/** "3 members / 5". */
export function membersOfMax(t: Translate, { memberCount, maxMembers }: Team): string {
  const members = t('{count, plural, one {# member} other {# members}}', { count: memberCount })
  return `${members} / ${formatNumber(maxMembers)}`
}

/** The four levels with their years. */
export const experienceLabels = (t: Translate): Record<Experience, string> => ({
  Beginner: t('Beginner (0-1 years)'),
  Intermediate: t('Intermediate (1-3 years)'),
  Advanced: t('Advanced (3-5 years)'),
  Expert: t('Expert (5+ years)'),
})
export const EXPERIENCE_ORDER: readonly Experience[] = ['Beginner', 'Intermediate', 'Advanced', 'Expert']

/** The number as wa.me wants it: country code, no sign. Null for anything but a Moroccan number. */
export function whatsAppAddress(phone: string): string | null {
  const digits = phone.replace(/\s+/g, '').match(/^(?:0|\+212)([567]\d{8})$/)?.[1]
  return digits ? `https://wa.me/212${digits}` : null
}
