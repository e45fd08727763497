import { EmailInput } from '@community/contract'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { BotCheck } from './bot-check.tsx'
import { startCooldown } from './cooldown.ts'
import { stepFailureText, translateFailure } from './failure-texts.ts'
import { NewPassword } from './new-password.tsx'
import { showAuthToast } from './auth-toast.ts'

type Step = { at: 'email' } | { at: 'code'; email: string; minutes?: number } | { at: 'done'; email: string }

interface ForgotPasswordProps {
  /** The email address typed into the sign-in form. */
  email: string
  /** Returns to the sign-in form with the email address used here. */
  onReturnToSignIn: (email: string) => void
  /** Closes the dialog: a signed-in user, who sets a first password, has no use for the sign-in form. */
  onCancel: () => void
}

/** Resets a forgotten password, or sets the first one of a signed-in user, in three steps: email address, code with new password, success. */
export function ForgotPassword({ email, onReturnToSignIn, onCancel }: ForgotPasswordProps) {
  const [enteredEmail, setEnteredEmail] = useState(email)
  const [step, setStep] = useState<Step>({ at: 'email' })
  if (step.at === 'done') return <ResetDone onReturnToSignIn={() => onReturnToSignIn(step.email)} />
  if (step.at === 'code') {
    return (
      <NewPassword
        email={step.email}
        {...(step.minutes !== undefined && { minutes: step.minutes })}
        onBack={() => setStep({ at: 'email' })}
        onReset={() => setStep({ at: 'done', email: step.email })}
      />
    )
  }
  return (
    <AskForCode
      email={enteredEmail}
      onSent={(sent) => {
        setEnteredEmail(sent.email)
        setStep({ at: 'code', ...sent })
      }}
      onReturnToSignIn={onReturnToSignIn}
      onCancel={onCancel}
    />
  )
}

interface AskForCodeProps extends ForgotPasswordProps {
  onSent: (sent: { email: string; minutes?: number }) => void
}

const sendFailureText = (reason: ClientFailure, fallback: string) =>
  stepFailureText(reason, msg('Unable to Send Code'), fallback)

function AskForCode({ email, onSent, onReturnToSignIn, onCancel }: AskForCodeProps) {
  const t = useT()
  const isSignedIn = useUser() !== null
  const form = useSchemaForm(EmailInput, { email })
  const forgot = useAction(trpcClient.auth.forgotPassword, {
    success: t('Verification Code Sent!'),
    failure: (reason) =>
      translateFailure(sendFailureText(reason, msg("We couldn't send the verification code. Please try again."))),
    showToast: showAuthToast,
    fields: fieldErrorsOf(form),
    onSuccess: ({ expirationMinutes }, input) => {
      startCooldown('reset', input.email)
      onSent({ email: input.email, minutes: expirationMinutes })
    },
    onFailure: (error, input) => {
      const { code, cooldown } = failureOf(error)
      if (code !== 'CODE_TOO_SOON') return
      // The earlier code can still be entered, and a new one requested, on the next step.
      startCooldown('reset', input.email, cooldown)
      onSent({ email: input.email })
    },
  })
  const { setFocus } = form
  useEffect(() => setFocus('email'), [setFocus])
  const onSubmit = useSubmit(form, forgot.run)
  const field = registerField(form, 'email')
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <p className="text-ink-2">{t('Enter your email and we will send you a 6-digit code to set a new password.')}</p>
      <Field label={t('Email')} required error={field.error}>
        <TextInput type="email" autoComplete="username" inputMode="email" {...field.control} />
      </Field>
      {forgot.failure !== undefined && (
        <Notice
          tone="bad"
          message={sendFailureText(failureOf(forgot.error), msg('Failed to send reset OTP')).message}
        />
      )}
      <div className="grid gap-2">
        <BotCheck />
        <Button type="submit" variant="primary" busy={forgot.isPending} busyLabel={t('Sending...')}>
          {t('Send Code')}
        </Button>
        {isSignedIn ? (
          <Button variant="ghost" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        ) : (
          <BackButton onClick={() => onReturnToSignIn(form.getValues('email'))}>{t('Back to Login')}</BackButton>
        )}
      </div>
    </form>
  )
}

function ResetDone({ onReturnToSignIn }: { onReturnToSignIn: () => void }) {
  const t = useT()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-5">
      <Notice tone="ok">{t('Password reset successfully! You can now log in with your new password.')}</Notice>
      <Button ref={button} variant="primary" onClick={onReturnToSignIn}>
        {t('Back to Login')}
      </Button>
    </div>
  )
}
