import type { ClientFailure } from '../../lib/failure.ts'
import { serverText, type Translate } from '../../lib/i18n.ts'

/** The message of the toast 'Team Creation Failed': the server's, with the specification's prefix for the field at fault. */
export function creationFailureText(failure: ClientFailure, t: Translate): string {
  const { kind, code, errors } = failure
  if (kind === 'format' || code === 'INTERNAL' || failure.message === '') return t('Failed to create team')
  const message = serverText(failure)
  const isAbout = (field: string) => errors.some(({ path }) => path.endsWith(field))
  if (isAbout('phone')) return t('Phone Error: {message}', { message })
  if (isAbout('email')) return t('Email Error: {message}', { message })
  return code === 'VALIDATION' ? t('Validation Error: {message}', { message }) : message
}
