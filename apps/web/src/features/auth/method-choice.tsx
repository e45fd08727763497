import { Mail } from 'lucide-react'
import { type Language, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { GoogleIcon } from './google-icon.tsx'

/** Where the external sign-in begins; the server leads on from there, and mails in the language of this page. */
export const externalSignInUrl = (language: Language): string => `/auth/google?language=${language}`

/** How to sign in or up: with the external provider, where one is set up, or by email. */
export function MethodChoice({ onEmail }: { onEmail: () => void }) {
  const t = useT()
  const { data } = trpc.system.settings.useQuery()
  return (
    <div className="grid gap-3">
      {data?.settings.externalSignIn && (
        <>
          <a href={externalSignInUrl(t.language)} className={buttonClass('outline')}>
            <GoogleIcon />
            {t('Continue with Google')}
          </a>
          <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
            {t('or')}
          </p>
        </>
      )}
      <Button variant="primary" onClick={onEmail}>
        <Mail aria-hidden="true" />
        {t('Continue with Email')}
      </Button>
    </div>
  )
}
