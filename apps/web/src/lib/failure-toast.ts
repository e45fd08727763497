import { useEffect } from 'react'
import { t } from './i18n.ts'
import { type FailureToast, toast } from './toasts.ts'

// A query keeps its error: do not show it again when the component mounts again.
const shown = new WeakSet<Error>()

/** Shows a failed query in a toast, once per error. Mark its texts with `msg`; the title is "Error" by default. */
export function useFailureToast(error: unknown, toastIds: Partial<FailureToast>): void {
  const { type = 'error', title = 'Error', message, fallback } = toastIds
  useEffect(() => {
    if (!(error instanceof Error) || shown.has(error)) return
    shown.add(error)
    // Not the `t` of a hook: a change of the language must not show the toast again.
    toast.failure(error, {
      type,
      title: t(title),
      ...(message !== undefined && { message: t(message) }),
      ...(fallback !== undefined && { fallback: t(fallback) }),
    })
  }, [error, type, title, message, fallback])
}
