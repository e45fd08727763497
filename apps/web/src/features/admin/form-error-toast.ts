import { appErrors } from '@community/contract'
import type { FieldError, FieldErrors } from 'react-hook-form'
import { t } from '../../lib/i18n.ts'
import { messageOf } from '../../lib/schema-resolver.ts'
import { fieldErrorsToast, type ToastContent } from '../../lib/toasts.ts'
import type { ChallengeDraft } from './challenge-form.ts'

const DEADLINE_CODES = new Set([appErrors.deadlinePast.code, appErrors.deadlineTooSoon.code])

/** The specification's toast title for an error code of a challenge; undefined for most codes. */
export function toastTitleOf(code = ''): string | undefined {
  if (DEADLINE_CODES.has(code)) return t('Invalid Deadline')
  return code === 'REQUIREMENT_MISSING' ? t('Invalid Requirements') : undefined
}

/** Every error of a form, in the order of its fields. Errors of lists are nested. */
function flattenErrors(errors: object): FieldError[] {
  return Object.values(errors).flatMap((error: unknown) => {
    if (typeof error !== 'object' || error === null) return []
    // An object with a message is react-hook-form's record of an error.
    return 'message' in error && typeof error.message === 'string' ? [error as FieldError] : flattenErrors(error)
  })
}

/** The toast of an invalid challenge: a single error has the specification's title. */
export function formErrorToast(errors: FieldErrors<ChallengeDraft>): ToastContent {
  const fieldErrors = flattenErrors(errors)
  const messages = fieldErrors.flatMap((error) => messageOf(error) ?? [])
  return fieldErrorsToast(messages, fieldErrors.length === 1 ? toastTitleOf(fieldErrors[0]?.type) : undefined)
}
