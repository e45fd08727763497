import type { SignInResult } from '@community/contract'
import { PENDING_SIGN_IN_TTL } from '@community/contract/limits'
import { useEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CodeStep, type SentCode } from './code-step.tsx'
import { useIsPast } from './cooldown.ts'
import { announce, codeExpired, MODAL_CODE_TEXTS } from './failure-texts.ts'

const QUIET = { meta: { invalidates: [] } }

interface MailedCodeProps {
  sent: SentCode
  onSignedIn: (signedIn: SignInResult) => void
  onBack: () => void
}

/** The code of a sign-in, which is over a while after the password: no code is right then, and none would be mailed. */
export function SignInCode({ sent, onSignedIn, onBack }: MailedCodeProps) {
  const t = useT()
  const verify = trpc.auth.verifyOtp.useMutation(QUIET)
  const resend = trpc.auth.resendOtp.useMutation(QUIET)
  const { email, askedAt } = sent
  const isOver = useIsPast(askedAt + PENDING_SIGN_IN_TTL * 1000)
  if (isOver) return <SignInOver onBack={onBack} />
  return (
    <CodeStep
      sent={sent}
      verify={(otp) => verify.mutateAsync({ email, otp })}
      resend={() => resend.mutateAsync({ email })}
      onSignedIn={onSignedIn}
      onBack={onBack}
      backLabel={t('Back to Sign In')}
    />
  )
}

/** The password is asked for again. */
function SignInOver({ onBack }: Pick<MailedCodeProps, 'onBack'>) {
  const t = useT()
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    announce(codeExpired(MODAL_CODE_TEXTS))
    back.current?.focus()
  }, [])
  return (
    <div className="grid gap-5">
      <Notice tone="bad" message={MODAL_CODE_TEXTS.expired} />
      <Button ref={back} variant="primary" onClick={onBack}>
        {t('Back to Sign In')}
      </Button>
    </div>
  )
}

/** The code of a registration. */
export function SignUpCode({ sent, onSignedIn, onBack }: MailedCodeProps) {
  const t = useT()
  const verify = trpc.auth.verifyRegistrationOtp.useMutation(QUIET)
  const resend = trpc.auth.resendRegistrationOtp.useMutation(QUIET)
  const { email, name, password = '' } = sent
  return (
    <CodeStep
      sent={sent}
      verify={(otp) => verify.mutateAsync({ name, email, password, otp })}
      resend={() => resend.mutateAsync({ email, name })}
      onSignedIn={onSignedIn}
      onBack={onBack}
      backLabel={t('Back to Sign Up')}
    />
  )
}
