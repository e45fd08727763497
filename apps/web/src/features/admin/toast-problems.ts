import type { FieldErrors } from 'react-hook-form'
import { serverText, t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import type { ChallengeDraft } from './challenge-form.ts'

const TITLED: Record<string, () => string> = {
  'Deadline must be at least 2 minutes from now': () => t('Invalid Deadline'),
  'At least one requirement is needed': () => t('Invalid Requirements'),
  'Deadline must be in the future': () => t('Invalid Deadline'),
  'At least one requirement is required': () => t('Invalid Requirements'),
}

/** The specification's title for this problem of a challenge, told by a form or the server. */
export const titleOf = (message: string): string => TITLED[message]?.() ?? t('Error')

/** Every message in a form's errors, in the order of its fields; lists hold theirs further in. */
function messagesIn(errors: object): string[] {
  return Object.values(errors).flatMap((error: unknown) => {
    if (typeof error !== 'object' || error === null) return []
    if ('message' in error && typeof error.message === 'string') return [error.message]
    return messagesIn(error)
  })
}

/** Says in a toast what is wrong with a challenge: with the specification's title where one thing is, as a list otherwise. */
export function toastProblems(errors: FieldErrors<ChallengeDraft>): void {
  const messages = messagesIn(errors)
  const [only = '', ...others] = messages
  if (others.length === 0 && only in TITLED) toast.error(titleOf(only), serverText(only).text)
  else toast.validation(messages.join(','))
}
