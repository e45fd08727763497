import { useEffect } from 'react'
import { useT } from '../lib/i18n.ts'
import { toast } from '../lib/toasts.ts'

/** Where the server sends a browser whose external sign-in came to nothing. */
const HASH = '#external-sign-in-failed'

/** Tells of an external sign-in that failed, once, and tidies the address. */
export function useExternalFailure(): void {
  const t = useT()
  useEffect(() => {
    if (window.location.hash !== HASH) return
    history.replaceState(null, '', window.location.pathname)
    toast.error(t('Login failed'), t("We couldn't sign you in. Please try again."))
  }, [t])
}
