import { LoginInput, RegisterInput, type SignInResult } from '@community/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import type { SignInIntent } from '../../lib/dialogs.ts'
import { useListen } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { isPending, type PendingCode, removePendingCode } from '../../lib/pending-code.ts'
import { currentUser } from '../../lib/session.ts'
import { useSignUpDraft } from '../../lib/sign-up-draft.ts'
import { createStore } from '../../lib/store.ts'
import { useSchemaForm } from '../../lib/use-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { SentCode } from './code-step.tsx'
import { startCooldownOnce } from './cooldown.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { ForgotPassword } from './forgot-password.tsx'
import { SignInCode, SignUpCode } from './mailed-code.tsx'
import { MethodChoice } from './method-choice.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useVisitorOnly } from './use-visitor-only.ts'
import { storePendingCode } from './store-pending-code.ts'

type Mode = 'login' | 'register'

/** The step that the visitor closed, perhaps by accident. In memory only, as it has the password of a registration. */
const useClosedStep = createStore<SentCode | null>(null)

/** That step, if the visitor opens the same again while the server waits for its code. */
function findClosedStep(mode: AuthModalProps['mode']): SentCode | undefined {
  const closed = useClosedStep.getState()
  return closed?.purpose === mode && isPending(closed) ? closed : undefined
}

export interface AuthModalProps {
  mode: Mode | 'forgot'
  /** Prefills the email field. */
  email?: string | undefined
  /** What opens after the sign-in. */
  intent?: SignInIntent | undefined
  /** A code that was mailed before the page was loaded again. */
  sent?: PendingCode | undefined
  onClose: () => void
}

/** Sign-in, sign-up and password reset: choice of the method, then the form, then the mailed code if required. */
export function AuthModal({ mode, email = '', intent, sent: stored, onClose }: AuthModalProps) {
  const t = useT()
  const [sentBefore] = useState<SentCode | undefined>(stored ?? findClosedStep(mode))
  useVisitorOnly(onClose, intent)
  const [tab, setTab] = useState<Mode>(mode === 'register' ? 'register' : 'login')
  const [isEmailForm, setIsEmailForm] = useState(mode === 'forgot' || sentBefore !== undefined)
  const [sent, setSent] = useState<SentCode | null>(sentBefore ?? null)
  const [takesFocus, setTakesFocus] = useState(false)
  const [draft] = useState(useSignUpDraft.getState)
  const initialEmail = sentBefore?.email ?? (email || draft.email)
  const signInForm = useSchemaForm(LoginInput, { email: initialEmail, password: '' })
  const signUpForm = useSchemaForm(RegisterInput, {
    name: sentBefore?.name ?? draft.name,
    email: initialEmail,
    password: '',
    confirmPassword: '',
  })
  const [forgot, setForgot] = useState(mode === 'forgot')
  const keepDraft = useEffectEvent(() => {
    if (currentUser()) return useSignUpDraft.setState({ name: '', email: '' })
    const { name, email: typedEmail } = signUpForm.getValues()
    useSignUpDraft.setState({ name, email: typedEmail })
  })
  useEffect(() => () => keepDraft(), [])

  useEffect(() => {
    if (!sent) return undefined
    useClosedStep.setState(null, true)
    storePendingCode({ ...sent, intent })
    // Not when the page is left: the step has ended.
    return removePendingCode
  }, [sent, intent])

  const onCodeSent = (code: SentCode) => {
    startCooldownOnce(code.purpose, code.email)
    setSent(code)
  }
  const switchTo = (next: Mode) => {
    if (next === 'login') signInForm.setValue('email', signUpForm.getValues('email'))
    else signUpForm.setValue('email', signInForm.getValues('email'))
    // Their errors may refer to the email that is replaced.
    signInForm.clearErrors()
    signUpForm.clearErrors()
    setTab(next)
  }
  // Asked for while the modal is open; a code that is awaited stays.
  useListen('openAuthModal', (detail) => {
    if (sent) return
    const next = detail?.mode ?? 'login'
    setForgot(next === 'forgot')
    if (next === 'forgot') setIsEmailForm(true)
    else if (next !== tab) switchTo(next)
  })
  const onSwitch = (next: Mode) => () => {
    setTakesFocus(true)
    switchTo(next)
  }
  const onSignedIn = (signedIn: SignInResult) => completeSignIn(signedIn, onClose, intent)

  if (sent) {
    return (
      <Dialog
        open
        onOpenChange={() => {
          onClose()
          useClosedStep.setState(sent, true)
        }}
        size="sm"
        title={t('Check Your Email')}
      >
        {sent.purpose === 'login' ? (
          <SignInCode
            sent={sent}
            onSignedIn={onSignedIn}
            onBack={() => {
              setSent(null)
              setIsEmailForm(false)
            }}
          />
        ) : (
          <SignUpCode
            sent={sent}
            form={signUpForm}
            onPassword={(password) => setSent({ ...sent, password })}
            onSignedIn={onSignedIn}
            onBack={() => setSent(null)}
          />
        )}
      </Dialog>
    )
  }
  if (forgot) {
    return (
      <Dialog open onOpenChange={onClose} size="sm" title={t('Reset Your Password')}>
        <ForgotPassword
          email={signInForm.getValues('email')}
          onReturnToSignIn={(enteredEmail) => {
            // The password there was wrong, or is no longer the account's.
            signInForm.reset({ email: enteredEmail, password: '' })
            setTakesFocus(true)
            setForgot(false)
          }}
          onCancel={onClose}
        />
      </Dialog>
    )
  }
  const choice = (
    <MethodChoice
      intent={intent}
      onEmail={() => {
        setTakesFocus(true)
        setIsEmailForm(true)
      }}
    />
  )
  const signIn = (
    <SignInForm
      form={signInForm}
      takesFocus={takesFocus}
      onSignedIn={onSignedIn}
      onCodeSent={onCodeSent}
      onBack={() => setIsEmailForm(false)}
      onSwitch={onSwitch('register')}
      onForgot={() => setForgot(true)}
    />
  )
  const signUp = (
    <SignUpForm
      form={signUpForm}
      takesFocus={takesFocus}
      onCodeSent={onCodeSent}
      onBack={() => setIsEmailForm(false)}
      onSwitch={onSwitch('login')}
    />
  )
  return (
    <Dialog open fullHeight={isEmailForm} onOpenChange={onClose} size="sm" title={t('Welcome to the community')}>
      <Tabs
        label={t('Account')}
        value={tab}
        onChange={(next) => {
          // Arrow keys keep the focus on the tabs.
          setTakesFocus(false)
          switchTo(next)
        }}
        items={[
          { value: 'login', label: t('Sign In'), content: isEmailForm ? signIn : choice },
          { value: 'register', label: t('Sign Up'), content: isEmailForm ? signUp : choice },
        ]}
      />
    </Dialog>
  )
}
