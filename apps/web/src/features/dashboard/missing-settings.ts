import type { Team } from '@community/contract'
import type { Translate } from '../../lib/i18n.ts'

/** The labels of a team's settings that its chef has yet to fill in. */
export function missingSettings({ description, experience, rolesNeeded }: Team, t: Translate): string[] {
  const settings: [isFilled: boolean, label: string][] = [
    [description.trim() !== '', t('Description')],
    [experience !== null, t('Team experience level')],
    [rolesNeeded.length > 0, t('Roles needed')],
  ]
  return settings.filter(([isFilled]) => !isFilled).map(([, label]) => label)
}
