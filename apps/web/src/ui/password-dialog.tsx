import { appErrors, type Message } from '@community/contract'
import { useRef, useState } from 'react'
import { failureOf } from '../lib/failure.ts'
import { msg, useT } from '../lib/i18n.ts'
import { useSingleFlight } from '../lib/single-flight.ts'
import { toast } from '../lib/toasts.ts'
import type { PasswordQuestion } from '../lib/questions.ts'
import { Field } from './field.tsx'
import { QuestionForm } from './question-form.tsx'
import { PasswordInput } from './text-input.tsx'

/** Codes of a response without a message. */
const NO_MESSAGE = new Set(['INVALID_RESPONSE', 'HTTP_ERROR'])

type PasswordState = { step: 'idle' } | { step: 'verifying' } | { step: 'error'; message: Message }

interface PasswordDialogProps {
  question: PasswordQuestion
  settle: (answer: string | null) => void
}

/** Asks for the password. A wrong one is shown at the field and in a toast, as specified. */
export function PasswordDialog({ question, settle }: PasswordDialogProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const toastId = useRef<string>(undefined)
  const [password, setPassword] = useState('')
  const [state, setState] = useState<PasswordState>({ step: 'idle' })
  const isVerifying = state.step === 'verifying'
  const showError = (message: Message) => {
    setState({ step: 'error', message })
    input.current?.focus()
  }
  const onSubmit = useSingleFlight(async () => {
    if (password.trim() === '') return showError(appErrors.passwordRequired)
    setState({ step: 'verifying' })
    if (toastId.current) toast.dismiss(toastId.current)
    try {
      await question.verify?.(password)
      settle(password)
    } catch (reason) {
      const failure = failureOf(reason)
      if (failure.code === 'WRONG_PASSWORD') toastId.current = toast.failure(reason, { title: t('Invalid Password') })
      const hasNoMessage = NO_MESSAGE.has(failure.code ?? '')
      showError(hasNoMessage ? { message: msg('Password verification endpoint not available') } : failure)
    }
  })
  return (
    <QuestionForm
      question={question}
      busy={isVerifying}
      busyLabel={t('Verifying...')}
      input={input}
      onSubmit={() => void onSubmit()}
      onCancel={() => settle(null)}
    >
      <Field label={t('Your password')} required error={state.step === 'error' ? state.message : undefined}>
        <PasswordInput
          ref={input}
          autoComplete="current-password"
          value={password}
          readOnly={isVerifying}
          onChange={(event) => {
            setPassword(event.target.value)
            if (state.step === 'error') setState({ step: 'idle' })
          }}
        />
      </Field>
      <output className="sr-only">{isVerifying && t('Verifying...')}</output>
    </QuestionForm>
  )
}
