import type { Message } from '@community/contract'
import { useId, useRef, useState } from 'react'
import { countCharacters } from '../lib/count-characters.ts'
import { failureOf } from '../lib/failure.ts'
import { msg } from '../lib/i18n.ts'
import { useSingleFlight } from '../lib/single-flight.ts'
import { AnswerButtons } from './answer-buttons.tsx'
import { type ConfirmQuestion, type PromptQuestion, useOpenQuestions } from '../lib/questions.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Notice } from './notice.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { QuestionForm } from './question-form.tsx'
import { TextInput } from './text-input.tsx'
import { TextArea } from './text-area.tsx'

/** Renders the dialogs of `confirm`, `prompt` and `askPassword`. Mounted once, by the shell. */
export function QuestionDialogs() {
  return useOpenQuestions().map((open) => {
    if (open.kind === 'confirm') return <ConfirmDialog key={open.id} question={open.question} settle={open.settle} />
    if (open.kind === 'prompt') return <PromptDialog key={open.id} question={open.question} settle={open.settle} />
    return <PasswordDialog key={open.id} question={open.question} settle={open.settle} />
  })
}

function ConfirmDialog({ question, settle }: { question: ConfirmQuestion; settle: (answer: boolean) => void }) {
  const message = useId()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Message>()
  const onConfirm = useSingleFlight(async () => {
    if (!question.run) return settle(true)
    setBusy(true)
    setError(undefined)
    try {
      await question.run()
      settle(true)
    } catch (reason) {
      setError(failureOf(reason))
      setBusy(false)
    }
  })
  return (
    <Dialog
      open
      size="sm"
      role="alertdialog"
      title={question.title}
      describedBy={question.message && message}
      dismissible={!busy}
      onOpenChange={() => settle(false)}
      footer={
        <AnswerButtons
          question={question}
          busy={busy}
          onCancel={() => settle(false)}
          onConfirm={() => void onConfirm()}
        />
      }
    >
      {question.message && (
        <p id={message} className="whitespace-pre-line">
          {question.message}
        </p>
      )}
      {error && <Notice tone="bad" className="mt-4" message={error} />}
    </Dialog>
  )
}

function PromptDialog({ question, settle }: { question: PromptQuestion; settle: (answer: string | null) => void }) {
  const input = useRef<HTMLElement>(null)
  const hold = (element: HTMLElement | null) => {
    input.current = element
  }
  const [value, setValue] = useState(question.draft ?? question.initial ?? '')
  const [error, setError] = useState<Message>()
  const [busy, setBusy] = useState(false)
  const { required = false, maxLength } = question
  const showError = (message: Message) => {
    setError(message)
    input.current?.focus()
  }
  const onSubmit = useSingleFlight(async () => {
    const answer = value.trim()
    if (required && answer === '') return showError({ message: msg('This field is required') })
    if (maxLength !== undefined && countCharacters(answer) > maxLength) {
      return showError({ message: msg('Maximum {n} characters allowed'), params: { n: maxLength } })
    }
    const problem = answer === '' || answer === question.initial ? undefined : question.check?.(answer)
    if (problem !== undefined) return showError(problem)
    if (!question.run) return settle(answer)
    setBusy(true)
    try {
      await question.run(answer)
      settle(answer)
    } catch (reason) {
      setBusy(false)
      showError(failureOf(reason))
    }
  })
  const control = {
    ref: hold,
    value,
    readOnly: busy,
    placeholder: question.placeholder,
    onChange: (event: { target: { value: string } }) => {
      setValue(event.target.value)
      setError(undefined)
    },
  }
  return (
    <QuestionForm
      question={question}
      busy={busy}
      input={input}
      onSubmit={() => void onSubmit()}
      onCancel={() => settle(null)}
    >
      {/* A prefilled field is not marked as optional. */}
      <Field label={question.label} error={error} required={required || question.initial !== undefined}>
        {question.multiline ? <TextArea {...control} max={maxLength} /> : <TextInput {...control} />}
      </Field>
    </QuestionForm>
  )
}
