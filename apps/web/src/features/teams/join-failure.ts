import { type ClientFailure, isSessionError } from '../../lib/failure.ts'
import { listText, serverText, type Translate } from '../../lib/i18n.ts'

/** The translated toast of a failed join. */
export function joinFailure(failure: ClientFailure, t: Translate): { title: string; message: string } {
  if (failure.code === 'TEAM_FULL') return { title: t('Team Full'), message: serverText(failure) }
  if (isSessionError(failure)) {
    return { title: t('Authentication Required'), message: t('Please sign in to join a team.') }
  }
  if (failure.code === 'VALIDATION') return { title: t('Validation Error'), message: serverText(failure) }
  const hasMessage = failure.kind !== 'format' && failure.code !== 'INTERNAL' && failure.message !== ''
  return {
    title: t('Join Team Failed'),
    message: hasMessage ? serverText(failure) : t('Failed to join team. Please try again.'),
  }
}

/** The required fields of a join, by their labels. */
export function missingFields(
  values: { name: string; email: string; phone: string; experience: string; role: { id: string } },
  t: Translate,
): string[] {
  const required: [value: string, label: string][] = [
    [values.name, t('Full Name')],
    [values.email, t('Email')],
    [values.phone, t('Phone')],
    [values.experience, t('Experience')],
    [values.role.id, t('Role')],
  ]
  return required.filter(([value]) => value.trim() === '').map(([, label]) => label)
}

/** "Please fill in all required fields: Phone, Role" */
export function missingText(labels: readonly string[], t: Translate): string {
  return `${t('Please fill in all required fields:')} ${listText(labels)}`
}
