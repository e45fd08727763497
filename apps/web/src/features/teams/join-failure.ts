import type { Fault, Team } from '@community/contract'
import type { ClientFailure } from '../../lib/failure.ts'
import { formatNumber, listText, serverText, type Translate } from '../../lib/i18n.ts'

type Seats = Pick<Team, 'memberCount' | 'maxMembers'>

/** "This team is full (5/5 members)" */
export const fullText = (t: Translate, { memberCount, maxMembers }: Seats): string =>
  t('This team is full ({count}/{max} members)', { count: formatNumber(memberCount), max: formatNumber(maxMembers) })

/** Why somebody cannot join, in the reader's language. */
export const refusalText = (refusal: Pick<Fault, 'code' | 'message'>, team: Seats, t: Translate): string =>
  refusal.code === 'TEAM_FULL' ? fullText(t, team) : serverText(refusal.message).text

/** The toast for a join that failed: title and message, translated. */
export function joinFailure(failure: ClientFailure, t: Translate): { title: string; message: string } {
  const seats = failure.message.match(/\((\d+)\/(\d+) members\)/)
  if (failure.code === 'TEAM_FULL') {
    const message = seats
      ? fullText(t, { memberCount: Number(seats[1]), maxMembers: Number(seats[2]) })
      : serverText(failure.message).text
    return { title: t('Team Full'), message }
  }
  if (failure.code === 'NOT_SIGNED_IN' || failure.code === 'TOKEN_EXPIRED') {
    return { title: t('Authentication Required'), message: t('Please sign in to join a team.') }
  }
  if (failure.code === 'VALIDATION') return { title: t('Validation Error'), message: serverText(failure.message).text }
  const isTold = failure.kind !== 'format' && failure.code !== 'INTERNAL' && failure.message !== ''
  return {
    title: t('Join Team Failed'),
    message: isTold ? serverText(failure.message).text : t('Failed to join team. Please try again.'),
  }
}

/** What a join cannot do without, by the words of its labels. */
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
