import { useEffect } from 'react'
import { msg, t } from './i18n.ts'
import { toast } from './toasts.ts'

// Who leaves and comes back meets a failure again while it is what the query knows.
const told = new WeakSet<Error>()

/**
 * Says in a toast that something could not be loaded, once for each failure: in the server's words, or else in
 * `message`. Both texts are English ids: mark them with `msg`.
 */
export function useFailureToast(error: unknown, message: string, title: string = msg('Error')): void {
  useEffect(() => {
    // Not a hook's `t`: a change of language is no new failure.
    if (!(error instanceof Error) || told.has(error)) return
    told.add(error)
    toast.failure(error, t(title), t(message))
  }, [error, title, message])
}
