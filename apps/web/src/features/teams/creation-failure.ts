import type { ClientFailure } from '../../lib/failure.ts'
import { serverText, type Translate } from '../../lib/i18n.ts'

/** Why a team was not created, under 'Team Creation Failed': the server's words behind a word of what they are about. */
export function creationFailure(failure: ClientFailure, t: Translate): string {
  const { kind, code, message } = failure
  if (kind === 'format' || code === 'INTERNAL' || message === '') return t('Failed to create team')
  const said = serverText(failure)
  if (/validation|required/i.test(message)) return t('Validation Error: {message}', { message: said })
  if (/phone/i.test(message)) return t('Phone Error: {message}', { message: said })
  if (/e-?mail/i.test(message)) return t('Email Error: {message}', { message: said })
  return said
}
