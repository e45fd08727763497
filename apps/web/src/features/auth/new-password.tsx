import { messageOf } from '../../lib/schema-resolver.ts'
import { type Message, ResetPasswordInput } from '@community/contract'
import { CODE_DIGITS } from '@community/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { NewPasswordFields } from '../../components/new-password-fields.tsx'
import { useAction } from '../../lib/action.ts'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { clearSession } from '../../lib/session.ts'
import { withInput } from '../../lib/procedure.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { AccountInput } from '../../ui/text-input.tsx'
import { CodeSentTo, ResendButton } from './code-step.tsx'
import { endCooldown } from './cooldown.ts'
import { MODAL_CODE_TEXTS, stepMessage, translateFailure, codeErrorText } from './failure-texts.ts'
import { showAuthToast } from './auth-toast.ts'

interface NewPasswordProps {
  email: string
  /** How long the code is valid; unknown for one mailed earlier. */
  minutes?: number
  onBack: () => void
  onReset: () => void
}

/** The inline message. In the specification only a rejected code has a toast here. */
const resetMessage = (reason: ClientFailure): Message => stepMessage(reason, msg('Failed to reset password'))

/** The mailed code and the new password, sent together. */
export function NewPassword({ email, minutes: initialMinutes, onBack, onReset }: NewPasswordProps) {
  const t = useT()
  const [minutes, setMinutes] = useState(initialMinutes)
  const code = useRef<HTMLInputElement>(null)
  const form = useSchemaForm(ResetPasswordInput, { email, otp: '', password: '', confirmPassword: '' })
  const reset = useAction(trpcClient.auth.resetPassword, {
    success: t('Password reset successfully! You can now log in with your new password.'),
    failure: (reason) => {
      const codeError = codeErrorText(reason, MODAL_CODE_TEXTS)
      return codeError && translateFailure(codeError)
    },
    showToast: showAuthToast,
    fields: (error) => {
      const reason = failureOf(error)
      if (reason.expired) {
        endCooldown('reset', email)
        form.setValue('otp', '')
      }
      const codeError = codeErrorText(reason, MODAL_CODE_TEXTS)
      if (!codeError) return applyServerErrors(form, error).length > 0
      form.setError('otp', { type: 'server', ...codeError.message })
      code.current?.focus()
      // Selected, so that the next typed digit replaces the wrong code.
      code.current?.select()
      return true
    },
    onSuccess: () => {
      // The server ended every session of the account, this browser's too.
      clearSession()
      onReset()
    },
  })
  const { setFocus } = form
  useEffect(() => code.current?.focus(), [])
  const onSubmit = useSubmit(form, reset.run)
  const values = form.watch()
  const isComplete = values.otp.length === CODE_DIGITS && values.password !== '' && values.confirmPassword !== ''
  const codeErrorMessage = messageOf(form.getFieldState('otp', form.formState).error)
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !reset.isPending) onSubmit(event)
      }}
    >
      <AccountInput email={email} />
      <CodeSentTo email={email} {...(minutes !== undefined && { minutes })} />
      <p className="text-ink-2">
        {t('A new password signs out all your devices, revokes your access tokens and unlinks your external sign-in.')}
      </p>
      <Field label={t('Verification Code')} required error={codeErrorMessage}>
        <CodeInput
          ref={code}
          value={values.otp}
          readOnly={reset.isPending}
          onChange={(next) => {
            form.clearErrors('otp')
            form.setValue('otp', next)
          }}
          onComplete={() => setFocus('password')}
        />
      </Field>
      <NewPasswordFields password={registerField(form, 'password')} confirm={registerField(form, 'confirmPassword')} />
      {reset.failure !== undefined && <Notice tone="bad" message={resetMessage(failureOf(reset.error))} />}
      <div className="grid gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={reset.isPending}
          busyLabel={t('Saving...')}
          aria-disabled={!isComplete}
        >
          {t('Reset Password')}
        </Button>
        <ResendButton
          sent={{ purpose: 'reset', email }}
          resend={withInput(trpcClient.auth.forgotPassword, () => ({ email }))}
          onSent={(expirationMinutes) => {
            setMinutes(expirationMinutes)
            form.clearErrors('otp')
            form.setValue('otp', '')
            code.current?.focus()
          }}
          fallback={msg('Failed to resend OTP')}
        />
        <BackButton onClick={onBack}>{t('Back to Email')}</BackButton>
      </div>
    </form>
  )
}
