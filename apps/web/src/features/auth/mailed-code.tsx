import type { SignedIn } from '@community/contract'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { CodeStep, type SentCode } from './code-step.tsx'

const QUIET = { meta: { invalidates: [] } }

interface MailedCodeProps {
  sent: SentCode
  onSignedIn: (signedIn: SignedIn) => void
  onBack: () => void
}

/** The code of a sign-in. */
export function SignInCode({ sent, onSignedIn, onBack }: MailedCodeProps) {
  const t = useT()
  const verify = trpc.auth.verifyOtp.useMutation(QUIET)
  const resend = trpc.auth.resendOtp.useMutation(QUIET)
  const { email } = sent
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
