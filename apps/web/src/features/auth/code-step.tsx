import type { SignInResult } from '@community/contract'
import { CODE_DIGITS } from '@community/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { failureOf } from '../../lib/failure.ts'
import { msg, type Translate, useT } from '../../lib/i18n.ts'
import type { PendingCode } from '../../lib/pending-code.ts'
import type { Procedure } from '../../lib/procedure.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Email } from '../../ui/email.tsx'
import { Field } from '../../ui/field.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { BotCheck } from './bot-check.tsx'
import { type CodePurpose, endCooldown, startCooldown, useCooldownMinutes } from './cooldown.ts'
import { codeFailureText, MODAL_CODE_TEXTS, stepFailureText, translateFailure } from './failure-texts.ts'
import { showAuthToast } from './auth-toast.ts'

export interface SentCode extends Omit<PendingCode, 'intent'> {
  /** Only for a registration: sent again with the code. */
  password?: string
}

interface CodeStepProps {
  sent: SentCode
  verify: Procedure<string, SignInResult>
  /** The success toast. */
  welcome: string
  resend: ResendButtonProps['resend']
  onSignedIn: (signedIn: SignInResult) => void
  onBack: () => void
  backLabel: string
}

/** The step for the mailed code. Submits at the sixth digit. */
export function CodeStep({ sent, verify, welcome, resend, onSignedIn, onBack, backLabel }: CodeStepProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [minutes, setMinutes] = useState(sent.expirationMinutes)
  useEffect(() => input.current?.focus(), [])
  const isComplete = code.length === CODE_DIGITS
  const attempt = useAction(verify, {
    success: welcome,
    failure: (reason) => translateFailure(codeFailureText(reason, MODAL_CODE_TEXTS)),
    showToast: showAuthToast,
    onSuccess: onSignedIn,
    onFailure: (error) => {
      if (failureOf(error).expired) {
        endCooldown(sent.purpose, sent.email)
        setCode('')
      }
      input.current?.focus()
      // Selected, so that the next typed digit replaces the wrong code.
      input.current?.select()
    },
  })
  const failure = attempt.error ? codeFailureText(failureOf(attempt.error), MODAL_CODE_TEXTS).message : undefined
  const busy = attempt.isPending || attempt.isSuccess
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !attempt.isSuccess) void attempt.run(code)
      }}
    >
      <CodeSentTo email={sent.email} minutes={minutes} />
      <Field label={t('Verification Code')} required error={failure}>
        <CodeInput
          ref={input}
          value={code}
          readOnly={busy}
          onChange={(next) => {
            setCode(next)
            if (failure !== undefined) attempt.reset()
          }}
          onComplete={(complete) => void attempt.run(complete)}
        />
      </Field>
      <div className="grid gap-2">
        <Button type="submit" variant="primary" busy={busy} busyLabel={t('Verifying...')} aria-disabled={!isComplete}>
          {t('Verify Code')}
        </Button>
        <ResendButton
          sent={sent}
          resend={resend}
          onSent={(expirationMinutes) => {
            setMinutes(expirationMinutes)
            setCode('')
            attempt.reset()
            input.current?.focus()
          }}
        />
        <BackButton onClick={onBack}>{backLabel}</BackButton>
      </div>
    </form>
  )
}

/** The address the code was mailed to, and how long it is valid. */
export function CodeSentTo({ email, minutes }: { email: string; minutes?: number }) {
  const t = useT()
  return (
    <p className="text-ink-2">
      {t('We sent a 6-digit code to')} <Email address={email} className="font-semibold text-ink" />
      {minutes !== undefined && (
        <>
          <br />
          {t('{minutes, plural, one {It is valid for # minute.} other {It is valid for # minutes.}}', { minutes })}
        </>
      )}
    </p>
  )
}

const cooldownText = (t: Translate, minutes: number) =>
  t('{minutes, plural, one {Resend Code in # minute} other {Resend Code in # minutes}}', { minutes })

interface ResendButtonProps {
  sent: { purpose: CodePurpose; email: string }
  resend: Procedure<void, { expirationMinutes: number }>
  /** The digits in the field belong to the code that the new one replaces. */
  onSent: (expirationMinutes: number) => void
  /** The fallback message, an English id. */
  fallback?: string
}

/** Requests another code. It stays during the cooldown, so that a failed request keeps the focus. */
export function ResendButton({
  sent,
  resend,
  onSent,
  fallback = msg("We couldn't send a new verification code. Please try again."),
}: ResendButtonProps) {
  const t = useT()
  const minutes = useCooldownMinutes(sent.purpose, sent.email)
  const sending = useAction(resend, {
    success: t('New Code Sent!'),
    failure: (reason) => translateFailure(stepFailureText(reason, msg('Unable to Resend Code'), fallback)),
    showToast: showAuthToast,
    onSuccess: ({ expirationMinutes }) => {
      startCooldown(sent.purpose, sent.email)
      onSent(expirationMinutes)
    },
    onFailure: (error) => {
      const { cooldown } = failureOf(error)
      if (cooldown) startCooldown(sent.purpose, sent.email, cooldown)
    },
  })
  return (
    <>
      <BotCheck />
      <Button
        busy={sending.isPending}
        busyLabel={t('Sending...')}
        aria-disabled={minutes > 0}
        onClick={() => void sending.run()}
      >
        {minutes > 0 ? cooldownText(t, minutes) : t('Resend Code')}
      </Button>
    </>
  )
}
