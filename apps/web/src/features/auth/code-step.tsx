import type { SignInResult } from '@community/contract'
import { OTP_DIGITS } from '@community/contract/limits'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { msg, type Translate, useT } from '../../lib/i18n.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { OtpInput } from '../../ui/otp-input.tsx'
import { BotCheck } from './bot-check.tsx'
import { type CodePurpose, endCooldown, startCooldown, useCooldownMinutes } from './cooldown.ts'
import { announce, codeFailure, MODAL_CODE_TEXTS, stepFailure } from './failure-texts.ts'
import { showAuthToast } from './auth-toast.ts'

/** A code that was mailed and waits to be entered. */
export interface SentCode {
  purpose: CodePurpose
  email: string
  name: string
  /** Of a registration: it is sent again with the code. */
  password?: string
  expirationMinutes: number
  /** When it was asked for, in milliseconds. */
  askedAt: number
}

export interface CodeStepProps {
  sent: SentCode
  verify: (otp: string) => Promise<SignInResult>
  resend: () => Promise<unknown>
  onSignedIn: (signedIn: SignInResult) => void
  onBack: () => void
  backLabel: string
}

/** The screen for the mailed code: it sends itself at the sixth digit. */
export function CodeStep({ sent, verify, resend, onSignedIn, onBack, backLabel }: CodeStepProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => input.current?.focus(), [])
  const isComplete = code.length === OTP_DIGITS
  const submit = useSingleFlight(async (otp: string) => {
    setBusy(true)
    setFailure(undefined)
    try {
      onSignedIn(await verify(otp))
    } catch (error) {
      const reason = failureOf(error)
      setFailure(announce(codeFailure(reason, MODAL_CODE_TEXTS)))
      if (reason.expired) {
        endCooldown(sent.purpose, sent.email)
        setCode('')
      }
      setBusy(false)
      input.current?.focus()
      // What is typed next takes the wrong code's place.
      input.current?.select()
    }
  })
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) void submit(code)
      }}
    >
      <CodeSentTo email={sent.email} minutes={sent.expirationMinutes} />
      <Field label={t('Verification Code')} required error={failure}>
        <OtpInput
          ref={input}
          value={code}
          readOnly={busy}
          onChange={(next) => {
            setCode(next)
            setFailure(undefined)
          }}
          onComplete={(otp) => void submit(otp)}
        />
      </Field>
      <div className="grid gap-2">
        <Button type="submit" variant="primary" busy={busy} busyLabel={t('Verifying...')} aria-disabled={!isComplete}>
          {t('Verify Code')}
        </Button>
        <ResendButton sent={sent} resend={resend} />
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
          {backLabel}
        </Button>
      </div>
    </form>
  )
}

/** Where the code went, and how long it works. */
export function CodeSentTo({ email, minutes }: { email: string; minutes?: number }) {
  const t = useT()
  return (
    <p className="text-ink-2">
      {t('We sent a 6-digit code to')}{' '}
      <bdi dir="ltr" className="font-semibold text-ink">
        {email}
      </bdi>
      {minutes !== undefined && (
        <>
          <br />
          {t('{minutes, plural, one {It works for # minute.} other {It works for # minutes.}}', { minutes })}
        </>
      )}
    </p>
  )
}

const waitText = (t: Translate, minutes: number) =>
  t('{minutes, plural, one {Resend Code in # minute} other {Resend Code in # minutes}}', { minutes })

interface ResendButtonProps {
  sent: Pick<SentCode, 'purpose' | 'email'>
  resend: () => Promise<unknown>
  /** English words for a failure that says nothing of its own. */
  fallback?: string
}

/** Asks for another code. It stays in place while it waits, so that the focus is not lost. */
export function ResendButton({
  sent,
  resend,
  fallback = msg("We couldn't send a new verification code. Please try again."),
}: ResendButtonProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const minutes = useCooldownMinutes(sent.purpose, sent.email)
  const onClick = useSingleFlight(async () => {
    setBusy(true)
    try {
      await resend()
      startCooldown(sent.purpose, sent.email)
      showAuthToast('success', t('New Code Sent!'))
    } catch (error) {
      const reason = failureOf(error)
      if (reason.cooldown) startCooldown(sent.purpose, sent.email, reason.cooldown)
      announce(stepFailure(reason, msg('Unable to Resend Code'), fallback))
    }
    setBusy(false)
  })
  return (
    <>
      <BotCheck />
      <Button busy={busy} busyLabel={t('Sending...')} aria-disabled={minutes > 0} onClick={() => void onClick()}>
        {minutes > 0 ? waitText(t, minutes) : t('Resend Code')}
      </Button>
    </>
  )
}
