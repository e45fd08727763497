import type { SignInResult } from '@community/contract'
import { PENDING_SIGN_IN_TTL } from '@community/contract/limits'
import { useEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { withInput } from '../../lib/procedure.ts'
import { trpcClient } from '../../lib/trpc.ts'
import type { SchemaForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showAuthToast } from './auth-toast.ts'
import { CodeStep, type SentCode } from './code-step.tsx'
import { useIsPast } from './cooldown.ts'
import { codeExpiredText, MODAL_CODE_TEXTS, translateFailure } from './failure-texts.ts'
import { PasswordAgain } from './password-again.tsx'
import type { SignUpValues } from './sign-up-form.tsx'

interface MailedCodeProps {
  sent: SentCode
  onSignedIn: (signedIn: SignInResult) => void
  onBack: () => void
}

/** The code step of a sign-in. After `PENDING_SIGN_IN_TTL` seconds the user has to enter the password again. */
export function SignInCode({ sent, onSignedIn, onBack }: MailedCodeProps) {
  const t = useT()
  const { email, requestedAt } = sent
  const isExpired = useIsPast(requestedAt + PENDING_SIGN_IN_TTL * 1000)
  if (isExpired) return <SignInExpired onBack={onBack} />
  return (
    <CodeStep
      sent={sent}
      verify={withInput(trpcClient.auth.verifyOtp, (otp: string) => ({ email, otp }))}
      welcome={t('Welcome Back!')}
      resend={withInput(trpcClient.auth.resendOtp, () => ({ email }))}
      onSignedIn={onSignedIn}
      onBack={onBack}
      backLabel={t('Back to Sign In')}
    />
  )
}

/** Returns to the password step. */
function SignInExpired({ onBack }: Pick<MailedCodeProps, 'onBack'>) {
  const t = useT()
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { title, message } = translateFailure(codeExpiredText(MODAL_CODE_TEXTS))
    showAuthToast('error', title, message)
    back.current?.focus()
  }, [])
  return (
    <div className="grid gap-5">
      <Notice tone="bad">{t(MODAL_CODE_TEXTS.expired)}</Notice>
      <Button ref={back} variant="primary" onClick={onBack}>
        {t('Back to Sign In')}
      </Button>
    </div>
  )
}

interface SignUpCodeProps extends MailedCodeProps {
  form: SchemaForm<SignUpValues>
  onPassword: (password: string) => void
}

/** The code step of a registration. Its password is not stored: after a reload it has to be chosen again. */
export function SignUpCode({ sent, form, onPassword, onSignedIn, onBack }: SignUpCodeProps) {
  const t = useT()
  const { email, name, password } = sent
  if (password === undefined) return <PasswordAgain form={form} onPassword={onPassword} onBack={onBack} />
  return (
    <CodeStep
      sent={sent}
      verify={withInput(trpcClient.auth.verifyRegistrationOtp, (otp: string) => ({ name, email, password, otp }))}
      welcome={t('Welcome to the community!')}
      resend={withInput(trpcClient.auth.resendRegistrationOtp, () => ({ email, name }))}
      onSignedIn={onSignedIn}
      onBack={onBack}
      backLabel={t('Back to Sign Up')}
    />
  )
}
