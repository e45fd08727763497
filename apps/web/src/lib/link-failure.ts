import { t } from './i18n.ts'
import type { ClientFailure } from './failure.ts'
import type { FailureToast } from './toasts.ts'

/** The toast for a link that could not be followed. `broken` is its text if nothing has the id, or if the link was cut off. */
export const linkFailure =
  (broken: string, fallback: string) =>
  ({ code }: ClientFailure): FailureToast => ({
    title: t('Error'),
    ...(code === 'VALIDATION' || code?.endsWith('_MISSING') ? { message: broken } : { fallback }),
  })
