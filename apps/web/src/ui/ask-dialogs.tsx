import { type FormEvent, useId, useRef, useState } from 'react'
import { failureOf } from '../lib/failure.ts'
import { useT } from '../lib/i18n.ts'
import { type ConfirmQuestion, type PasswordQuestion, type PromptQuestion, useAsked } from './ask.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Notice } from './notice.tsx'
import { PasswordInput, TextInput } from './text-input.tsx'
import { TextArea } from './text-area.tsx'

/** Draws the questions asked by `confirm`, `prompt` and `askPassword`. Mounted once, by the shell. */
export function AskDialogs() {
  return useAsked().map((asked) => {
    if (asked.kind === 'confirm')
      return <ConfirmDialog key={asked.id} question={asked.question} settle={asked.settle} />
    if (asked.kind === 'prompt') return <PromptDialog key={asked.id} question={asked.question} settle={asked.settle} />
    return <PasswordDialog key={asked.id} question={asked.question} settle={asked.settle} />
  })
}

interface AnswerButtonsProps {
  question: { confirmLabel?: string; cancelLabel?: string; danger?: boolean }
  onCancel: () => void
  busy?: boolean
  busyLabel?: string
  /** The form that the button sends; without one it is a plain button. */
  form?: string
  onConfirm?: () => void
}

function AnswerButtons({ question, onCancel, busy = false, busyLabel, form, onConfirm }: AnswerButtonsProps) {
  const t = useT()
  return (
    <>
      <Button onClick={onCancel} aria-disabled={busy} data-autofocus={form ? undefined : ''}>
        {question.cancelLabel ?? t('Cancel')}
      </Button>
      <Button
        variant={question.danger ? 'danger' : 'primary'}
        busy={busy}
        busyLabel={busyLabel}
        onClick={onConfirm}
        {...(form && { type: 'submit', form })}
      >
        {question.confirmLabel ?? t('Confirm')}
      </Button>
    </>
  )
}

function ConfirmDialog({ question, settle }: { question: ConfirmQuestion; settle: (answer: boolean) => void }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const onConfirm = async () => {
    if (!question.run) return settle(true)
    setBusy(true)
    setError(undefined)
    try {
      await question.run()
      settle(true)
    } catch (reason) {
      setError(failureOf(reason).message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      size="sm"
      role="alertdialog"
      title={question.title}
      dismissible={!busy}
      onOpenChange={() => settle(false)}
      footer={
        <AnswerButtons
          question={question}
          busy={busy}
          busyLabel={t('Working...')}
          onCancel={() => settle(false)}
          onConfirm={() => void onConfirm()}
        />
      }
    >
      {question.message && <p className="whitespace-pre-line">{question.message}</p>}
      {error && <Notice tone="bad" className="mt-4" message={error} />}
    </Dialog>
  )
}

function PromptDialog({ question, settle }: { question: PromptQuestion; settle: (answer: string | null) => void }) {
  const t = useT()
  const form = useId()
  const input = useRef<HTMLElement>(null)
  const hold = (element: HTMLElement | null) => {
    input.current = element
  }
  const [value, setValue] = useState(question.initial ?? '')
  const [error, setError] = useState<string>()
  const { required = false, maxLength } = question
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const answer = value.trim()
    if (required && answer === '') return setError(t('This field is required'))
    if (maxLength !== undefined && answer.length > maxLength) {
      return setError(t('Maximum {n} characters allowed', { n: maxLength }))
    }
    settle(answer)
  }
  const control = {
    ref: hold,
    value,
    placeholder: question.placeholder,
    onChange: (event: { target: { value: string } }) => {
      setValue(event.target.value)
      setError(undefined)
    },
  }
  return (
    <Dialog
      open
      size="sm"
      title={question.title}
      initialFocus={input}
      onOpenChange={() => settle(null)}
      footer={<AnswerButtons question={question} form={form} onCancel={() => settle(null)} />}
    >
      <form id={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        {question.message && <p className="whitespace-pre-line">{question.message}</p>}
        <Field label={question.label} error={error} required={required}>
          {question.multiline ? <TextArea {...control} max={maxLength} /> : <TextInput {...control} />}
        </Field>
      </form>
    </Dialog>
  )
}

type PasswordState = { step: 'idle' } | { step: 'verifying' } | { step: 'error'; message: string }

function PasswordDialog({ question, settle }: { question: PasswordQuestion; settle: (answer: string | null) => void }) {
  const t = useT()
  const form = useId()
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [state, setState] = useState<PasswordState>({ step: 'idle' })
  const isVerifying = state.step === 'verifying'
  const refuse = (message: string) => {
    setState({ step: 'error', message })
    input.current?.focus()
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isVerifying) return
    if (password.trim() === '') return refuse('Password is required')
    setState({ step: 'verifying' })
    try {
      await question.verify?.(password)
      settle(password)
    } catch (reason) {
      refuse(failureOf(reason).message)
    }
  }
  return (
    <Dialog
      open
      size="sm"
      title={question.title}
      dismissible={!isVerifying}
      initialFocus={input}
      onOpenChange={() => settle(null)}
      footer={
        <AnswerButtons
          question={question}
          form={form}
          busy={isVerifying}
          busyLabel={t('Verifying...')}
          onCancel={() => settle(null)}
        />
      }
    >
      <form id={form} noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
        {question.message && <p className="whitespace-pre-line">{question.message}</p>}
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
      </form>
    </Dialog>
  )
}
