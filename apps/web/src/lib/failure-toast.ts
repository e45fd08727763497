import { useEffect } from 'react'
import { msg, t } from './i18n.ts'
import { toast } from './toasts.ts'

// A query keeps its error: do not show it again when the component mounts again.
const shown = new WeakSet<Error>()

/** Shows a failed query in a toast, once per error, with the server's message or else `message`. Mark both texts with `msg`. */
export function useFailureToast(error: unknown, message: string, title: string = msg('Error')): void {
  useEffect(() => {
    // Not the `t` of a hook: a change of the language must not show the toast again.
    if (!(error instanceof Error) || shown.has(error)) return
    shown.add(error)
    toast.failure(error, t(title), t(message))
  }, [error, title, message])
}
