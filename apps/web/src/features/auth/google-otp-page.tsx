import { useT } from '../../lib/i18n.ts'
import { EmptyState } from '../../ui/states.tsx'

/** The code page of the external sign-in, at /auth/google-otp. */
export function GoogleOtpPage() {
  const t = useT()
  return <EmptyState title={t('Verify Code')} />
}
