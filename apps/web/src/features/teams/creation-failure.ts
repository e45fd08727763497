import type { ClientFailure } from '../../lib/failure.ts'
import { serverText, type Translate } from '../../lib/i18n.ts'

/** The message of the toast 'Team Creation Failed': the server's message, prefixed by its topic. The specification decides the topic by words of the message. */
export function creationFailureText(failure: ClientFailure, t: Translate): string {
  const { kind, code, message } = failure
  if (kind === 'format' || code === 'INTERNAL' || message === '') return t('Failed to create team')
  const translated = serverText(failure)
  if (/validation|required/i.test(message)) return t('Validation Error: {message}', { message: translated })
  if (/phone/i.test(message)) return t('Phone Error: {message}', { message: translated })
  if (/e-?mail/i.test(message)) return t('Email Error: {message}', { message: translated })
  return translated
}
