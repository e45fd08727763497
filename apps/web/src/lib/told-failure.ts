import { useEffect } from 'react'
import { msg, t } from './i18n.ts'
import { toast } from './toasts.ts'

/**
 * Says in a toast that something could not be loaded, each time it fails: in the server's words, or else in `message`. Both
 * texts are English ids: mark them with `msg`.
 */
export function useToldFailure(error: unknown, message: string, title: string = msg('Error')): void {
  useEffect(() => {
    // Not a hook's `t`: a change of language is no new failure.
    if (error) toast.failure(error, t(title), t(message))
  }, [error, title, message])
}
