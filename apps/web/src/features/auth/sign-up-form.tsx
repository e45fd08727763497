import type { AppContract, Input } from '@community/contract'
import { useEffect } from 'react'
import { NewPasswordFields } from '../../components/new-password-fields.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { useAction } from '../../lib/action.ts'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, type SchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { showAuthToast } from './auth-toast.ts'
import type { SentCode } from './code-step.tsx'
import { stepFailureText, translateFailure } from './failure-texts.ts'
import { AuthForm } from './auth-form.tsx'

export type SignUpValues = Input<AppContract['auth']['register']>

interface SignUpFormProps {
  /** The modal's, which keeps what was typed while another step is shown. */
  form: SchemaForm<SignUpValues>
  /** The user opened this form, so focus it. */
  takesFocus: boolean
  onCodeSent: (sent: SentCode) => void
  onBack: () => void
  onSwitch: () => void
}

const signUpFailure = (reason: ClientFailure) =>
  stepFailureText(reason, msg('Registration failed'), msg("We couldn't create your account. Please try again."))

/** Registration by email. The account is created when the mailed code is entered. */
export function SignUpForm({ form, takesFocus, onCodeSent, onBack, onSwitch }: SignUpFormProps) {
  const t = useT()
  const register = useAction(trpcClient.auth.register, {
    input: ({ input }: { input: SignUpValues; requestedAt: number }) => input,
    success: t('Verification Code Sent!'),
    failure: (reason) => translateFailure(signUpFailure(reason)),
    showToast: showAuthToast,
    fields: fieldErrorsOf(form),
    onSuccess: (output, { input: { name, password }, requestedAt }) =>
      onCodeSent({ ...output, purpose: 'register', name, password, requestedAt }),
  })
  const { setFocus } = form
  useEffect(() => {
    if (takesFocus) setFocus('name')
  }, [takesFocus, setFocus])
  const onSubmit = useSubmit(form, (input) => register.run({ input, requestedAt: Date.now() }))
  return (
    <AuthForm
      onSubmit={onSubmit}
      failure={register.error ? signUpFailure(failureOf(register.error)).message : undefined}
      submit={{ label: t('Create Account'), busyLabel: t('Creating your account...'), busy: register.isPending }}
      onBack={onBack}
      alternative={{
        question: t('Already a member?'),
        label: t('Sign in here'),
        onClick: onSwitch,
      }}
    >
      <SignUpFields form={form} />
      <p className="text-center text-sm text-ink-2">
        <PageLinks inNewTab />
      </p>
    </AuthForm>
  )
}

function SignUpFields({ form }: { form: SchemaForm<SignUpValues> }) {
  const t = useT()
  const name = registerField(form, 'name')
  const email = registerField(form, 'email')
  return (
    <>
      <Field label={t('Full Name')} required error={name.error}>
        <TextInput autoComplete="name" {...name.control} />
      </Field>
      <Field label={t('Email')} required error={email.error}>
        <TextInput type="email" autoComplete="email" inputMode="email" {...email.control} />
      </Field>
      <SignUpPasswordFields form={form} />
    </>
  )
}

/** The password of a registration, typed twice. */
export function SignUpPasswordFields({ form }: { form: SchemaForm<SignUpValues> }) {
  return (
    <NewPasswordFields
      isFirst
      password={registerField(form, 'password')}
      confirm={registerField(form, 'confirmPassword')}
    />
  )
}
