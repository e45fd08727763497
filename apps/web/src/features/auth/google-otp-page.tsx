import type { Message } from '@community/contract'
import { EMAIL_LENGTH_MAX, MINUTE, NAME_LENGTH, CODE_DIGITS } from '@community/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { appName } from '../../lib/app-name.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT, msg } from '../../lib/i18n.ts'
import { storeSession } from '../../lib/session.ts'
import { renewSignInReturn } from '../../lib/sign-in-return.ts'
import { SIGN_IN_ADDRESS } from '../../lib/sign-in-link.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Khatam } from '../../ui/khatam.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { CodeSentTo } from './code-step.tsx'
import { formatClock, useExpiry } from './expiry.ts'
import { codeFailureText, EXTERNAL_CODE_TEXTS, translateFailure } from './failure-texts.ts'
import { externalSignInUrl } from './method-choice.tsx'
import { showAuthToast } from './auth-toast.ts'

/** The code page of the external sign-in, at /auth/google-otp?email&name. */
export function GoogleOtpPage() {
  const t = useT()
  const query = new URLSearchParams(window.location.search)
  // From the URL, which anybody can forge: cut to the lengths an account allows.
  const email = query.get('email')?.trim().slice(0, EMAIL_LENGTH_MAX) ?? ''
  const name = query.get('name')?.trim().slice(0, NAME_LENGTH.max) ?? ''
  useEffect(() => {
    document.title = `${t('Check Your Email')} – ${appName(t)}`
    if (email === '') window.location.replace('/')
  }, [email, t])
  if (email === '') return null
  return (
    <div className="grid min-h-svh content-center justify-items-center gap-6 px-4 py-10">
      <p className="flex items-center gap-2.5 font-display text-xl font-bold">
        <Khatam className="size-7 text-primary" />
        {appName(t)}
      </p>
      <div className="grid w-full max-w-md gap-5 rounded-dialog border border-line bg-surface p-5 sm:p-7">
        <div className="grid gap-1">
          <h1 className="text-2xl">{t('Check Your Email')}</h1>
          {name && <p>{t('Welcome, {name}', { name })}</p>}
          <CodeSentTo email={email} />
        </div>
        <CodeForm email={email} />
      </div>
    </div>
  )
}

function CodeForm({ email }: { email: string }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<Message>()
  const [expired, setExpired] = useState(false)
  const secondsByClock = useExpiry()
  // The server's clock decides, not the browser's.
  const secondsLeft = expired ? 0 : secondsByClock
  useEffect(() => input.current?.focus(), [])
  const verify = useAction(trpcClient.auth.verifyGoogleOtp, {
    // Survives the page load.
    success: t('Welcome!'),
    failure: (reason) => translateFailure(codeFailureText(reason, EXTERNAL_CODE_TEXTS)),
    showToast: showAuthToast,
    onSuccess: (signedIn) => {
      storeSession(signedIn)
      renewSignInReturn()
      // Back would lead to a code that is used up.
      window.location.replace('/')
    },
    onFailure: (error) => {
      const reason = failureOf(error)
      setFailure(codeFailureText(reason, EXTERNAL_CODE_TEXTS).message)
      if (reason.expired) {
        setCode('')
        setExpired(true)
      }
      input.current?.focus()
      // Selected, so that the next typed digit replaces the wrong code.
      input.current?.select()
    },
  })
  const submit = () => {
    if (verify.isSuccess) return
    if (code.length === CODE_DIGITS) {
      void verify.run({ email, otp: code })
      return
    }
    setFailure({ message: msg('Please enter a 6-digit verification code') })
    input.current?.focus()
  }
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label={t('Verification Code')} required error={failure} aside={<Countdown secondsLeft={secondsLeft} />}>
        <CodeInput
          ref={input}
          value={code}
          readOnly={verify.isPending}
          onChange={(next) => {
            setCode(next)
            setFailure(undefined)
          }}
        />
      </Field>
      <div className="grid gap-2">
        <Button type="submit" variant="primary" busy={verify.isPending} busyLabel={t('Verifying...')}>
          {t('Verify Code')}
        </Button>
        {secondsLeft === 0 && (
          <a href={externalSignInUrl(t.language)} onClick={renewSignInReturn} className={buttonClass('outline')}>
            {t('Resend Code')}
          </a>
        )}
        <a href={SIGN_IN_ADDRESS} className={buttonClass('ghost')}>
          {t('Back to Login')}
        </a>
      </div>
    </form>
  )
}

/** Counts down visually; announced only at one minute and at the end. */
function Countdown({ secondsLeft }: { secondsLeft: number }) {
  const t = useT()
  const isOver = secondsLeft === 0
  const isLastMinute = secondsLeft <= MINUTE
  return (
    <>
      <span role="timer" aria-live="off" className={isLastMinute ? 'text-sm text-gold' : 'text-sm text-muted'}>
        {isOver ? t('Code Expired') : t('Expires in {time}', { time: formatClock(secondsLeft) })}
      </span>
      <output className="sr-only">
        {isOver && t('Code Expired')}
        {!isOver && isLastMinute && t('The code expires in one minute')}
      </output>
    </>
  )
}
