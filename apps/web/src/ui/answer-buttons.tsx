import { useT } from '../lib/i18n.ts'
import type { Question } from './ask.ts'
import { Button } from './button.tsx'

interface AnswerButtonsProps {
  question: Pick<Question, 'confirmLabel' | 'cancelLabel' | 'danger'>
  onCancel: () => void
  busy?: boolean
  busyLabel?: string
  /** The form that the button sends; without one it is a plain button. */
  form?: string
  onConfirm?: () => void
}

/** The two ways out of a question. */
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
        busyLabel={busyLabel}
        onClick={onConfirm}
        {...(form && { type: 'submit', form })}
      >
        {question.confirmLabel ?? t('Confirm')}
      </Button>
    </>
  )
}
