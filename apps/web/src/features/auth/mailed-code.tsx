import type { SignedIn } from '@community/contract'
import { OTP_LIFE, SIGN_IN_BEGUN_LIFE } from '@community/contract/limits'
import { useEffect, useRef, useState } from 'react'
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
  onSignedIn: (signedIn: SignedIn) => void
  onBack: () => void
}

/** The code of a sign-in. Others are mailed for a while after the password only; with the last one the sign-in is over. */
export function SignInCode({ sent, onSignedIn, onBack }: MailedCodeProps) {
  const t = useT()
  const verify = trpc.auth.verifyOtp.useMutation(QUIET)
  const resend = trpc.auth.resendOtp.useMutation(QUIET)
  const { email, askedAt } = sent
  const [mailedAt, setMailedAt] = useState(askedAt)
  const isLast = useIsPast(askedAt + SIGN_IN_BEGUN_LIFE * 1000)
  const hasExpired = useIsPast(mailedAt + OTP_LIFE * 1000)
  const sendAgain = async () => {
    const now = Date.now()
    await resend.mutateAsync({ email })
    setMailedAt(now)
  }
  if (isLast && hasExpired) return <SignInOver onBack={onBack} />
  return (
    <CodeStep
      sent={sent}
      verify={(otp) => verify.mutateAsync({ email, otp })}
      resend={isLast ? null : sendAgain}
      onSignedIn={onSignedIn}
      onBack={onBack}
      backLabel={t('Back to Sign In')}
    />
  )
}

/** No code is right any more, and none would be mailed: the password is asked for again. */
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
