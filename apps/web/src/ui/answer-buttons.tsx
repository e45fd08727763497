import { useT } from '../lib/i18n.ts'
import type { Question } from '../lib/questions.ts'
import { Button } from './button.tsx'

interface AnswerButtonsProps {
  question: Pick<Question, 'confirmLabel' | 'cancelLabel' | 'danger'>
  onCancel: () => void
  busy?: boolean
  /** Defaults to "Working...". */
  busyLabel?: string | undefined
  /** The id of the form to submit; without one `onConfirm` is called. */
  form?: string
  onConfirm?: () => void
}

/** The Cancel and Confirm buttons of a question or a form. */
export function AnswerButtons({ question, onCancel, busy = false, busyLabel, form, onConfirm }: AnswerButtonsProps) {
  const t = useT()
  return (
    <>
      <Button onClick={onCancel} aria-disabled={busy} data-autofocus={form ? undefined : ''}>
        {question.cancelLabel ?? t('Cancel')}
      </Button>
      <Button
        variant={question.danger ? 'danger' : 'primary'}
        busy={busy}
        busyLabel={busyLabel ?? t('Working...')}
        onClick={onConfirm}
        {...(form && { type: 'submit', form })}
      >
        {question.confirmLabel ?? t('Confirm')}
      </Button>
    </>
  )
}
