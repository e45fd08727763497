import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import type { SignInIntent } from '../../lib/dialogs.ts'
import { type Language, useT } from '../../lib/i18n.ts'
import { storeSignInReturn } from '../../lib/sign-in-return.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { GoogleIcon } from './google-icon.tsx'

/** Start of the external sign-in. The server redirects from there, and mails in the given language. */
export const externalSignInUrl = (language: Language): string => `/auth/google?language=${language}`

interface MethodChoiceProps {
  /** What opens after the sign-in. */
  intent: SignInIntent | undefined
  onEmail: () => void
}

/** The choice between the external provider, if one is configured, and email. */
export function MethodChoice({ intent, onEmail }: MethodChoiceProps) {
  const t = useT()
  const { data } = useQuery(trpc.system.settings.queryOptions())
  return (
    <div className="grid gap-3">
      {data?.settings.externalSignIn && (
        <>
          <a
            href={externalSignInUrl(t.language)}
            onClick={() => storeSignInReturn(intent)}
            className={buttonClass('outline')}
          >
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
