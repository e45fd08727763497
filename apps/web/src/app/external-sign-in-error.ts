import { useEffect } from 'react'
import { useT } from '../lib/i18n.ts'
import { consumeHash } from '../lib/navigation/navigation.ts'
import { toast } from '../lib/toasts.ts'

/** The server redirects here after a failed external sign-in. */
const HASH = '#external-sign-in-failed'

/** Shows a failed external sign-in in a toast and removes the hash. The failure arrives in the URL. */
export function useExternalSignInError(): void {
  const t = useT()
  useEffect(() => {
    if (consumeHash(HASH)) toast.error(t('Login failed'), t("We couldn't sign you in. Please try again."))
  }, [t])
}
