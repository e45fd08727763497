import type { AppContract, Input, SignInResult } from '@community/contract'
import { useEffect } from 'react'
import { useAction } from '../../lib/action.ts'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, applyServerErrors, type SchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput, TextInput } from '../../ui/text-input.tsx'
import { showAuthToast } from './auth-toast.ts'
import { stepFailureText, translateFailure } from './failure-texts.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import type { SentCode } from './code-step.tsx'

type Credentials = Input<AppContract['auth']['login']>

interface SignInFormProps {
  /** The modal's, which keeps what was typed while another step is shown. */
  form: SchemaForm<Credentials>
  /** The user opened this form, so focus it. */
  takesFocus: boolean
  onSignedIn: (signedIn: SignInResult) => void
  /** The password was right; the server mailed a code. */
  onCodeSent: (sent: SentCode) => void
  onBack: () => void
  onSwitch: () => void
  onForgot: () => void
}

const signInFailure = (reason: ClientFailure) =>
  stepFailureText(reason, msg('Login failed'), msg("We couldn't sign you in. Please try again."))

/** Sign-in by email and password. */
export function SignInForm(props: SignInFormProps) {
  const { form, takesFocus, onSignedIn, onCodeSent, onBack, onSwitch, onForgot } = props
  const t = useT()
  const login = useAction(trpcClient.auth.login, {
    input: ({ input }: { input: Credentials; requestedAt: number }) => input,
    success: (output) => (output.requiresOTP ? t('Verification Code Sent!') : t('Welcome Back!')),
    failure: (reason) => translateFailure(signInFailure(reason)),
    showToast: showAuthToast,
    fields: (error) => {
      const isAtField = applyServerErrors(form, error).length > 0
      if (!isAtField) form.setFocus('password', { shouldSelect: true })
      return isAtField
    },
    onSuccess: (output, { requestedAt }) => {
      if (output.requiresOTP) onCodeSent({ purpose: 'login', requestedAt, ...output })
      else onSignedIn(output)
    },
  })
  const { getValues, setFocus } = form
  useEffect(() => {
    if (takesFocus) setFocus(getValues('email') ? 'password' : 'email')
  }, [takesFocus, getValues, setFocus])
  const onSubmit = useSubmit(form, (input) => login.run({ input, requestedAt: Date.now() }))
  const emailField = registerField(form, 'email')
  const passwordField = registerField(form, 'password')
  return (
    <AuthForm
      onSubmit={onSubmit}
      failure={login.error ? signInFailure(failureOf(login.error)).message : undefined}
      submit={{ label: t('Sign In'), busyLabel: t('Signing in...'), busy: login.isPending }}
      onBack={onBack}
      alternative={{
        question: t("Don't have an account?"),
        label: t('Create one here'),
        onClick: onSwitch,
      }}
    >
      <Field label={t('Email')} required error={emailField.error}>
        <TextInput type="email" autoComplete="username" inputMode="email" {...emailField.control} />
      </Field>
      <Field label={t('Password')} required error={passwordField.error}>
        <PasswordInput autoComplete="current-password" {...passwordField.control} />
      </Field>
      <p className="text-end">
        <TextButton onClick={onForgot}>{t('Forgot your password?')}</TextButton>
      </p>
    </AuthForm>
  )
}
