import { type ReactNode, type RefObject, useId } from 'react'
import { AnswerButtons } from './answer-buttons.tsx'
import type { Question } from '../lib/questions.ts'
import { Dialog } from './dialog.tsx'

interface QuestionFormProps {
  question: Question
  busy: boolean
  /** Defaults to "Working...". */
  busyLabel?: string
  /** Gets the focus first. Defaults to that of any dialog. */
  input?: RefObject<HTMLElement | null>
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** A question with an input: its dialog, form and buttons. */
export function QuestionForm({ question, busy, busyLabel, input, onSubmit, onCancel, children }: QuestionFormProps) {
  const form = useId()
  const message = useId()
  return (
    <Dialog
      open
      size="sm"
      title={question.title}
      describedBy={question.message && message}
      dismissible={!busy}
      {...(input && { initialFocus: input })}
      onOpenChange={onCancel}
      footer={<AnswerButtons question={question} form={form} busy={busy} busyLabel={busyLabel} onCancel={onCancel} />}
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        className="grid grid-cols-1 gap-4"
      >
        {question.message && (
          <p id={message} className="whitespace-pre-line">
            {question.message}
          </p>
        )}
        {children}
      </form>
    </Dialog>
  )
}
