import type { Submission } from '@community/contract'
import type { ReactNode, SyntheticEvent } from 'react'
import { useId } from 'react'
import { useT } from '../../lib/i18n.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Dialog, type DialogProps } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EarlierVerdict } from './earlier-verdict.tsx'
import type { WorkSubmission, SubmitFailure } from './submit-work.ts'

interface WorkDialogProps extends Pick<DialogProps, 'finalFocus'> {
  title: string
  challengeTitle: string
  submitLabel: string
  submission: WorkSubmission
  hasDraft: boolean
  onStartOver: () => void
  onSubmit: (event: SyntheticEvent) => void
  onClose: () => void
  /** A rejected submission, whose feedback is shown next to the form. */
  rejected: Submission | null
  children: ReactNode
}

/** The dialog of a form that submits work. Closing it keeps the draft. */
export function WorkDialog(props: WorkDialogProps) {
  const { title, challengeTitle, submitLabel, submission, hasDraft, onStartOver, onSubmit, onClose, rejected } = props
  const t = useT()
  const formId = useId()
  const startOver = () => {
    submission.clearFailure()
    onStartOver()
  }
  return (
    <Dialog
      open
      size={rejected ? 'lg' : 'md'}
      title={title}
      description={<bdi>{challengeTitle}</bdi>}
      dismissible={!submission.isSending}
      onOpenChange={onClose}
      finalFocus={props.finalFocus}
      footer={
        <AnswerButtons
          question={{ confirmLabel: submission.failure?.kind === 'upload' ? t('Try Again') : submitLabel }}
          form={formId}
          busy={submission.isSending}
          busyLabel={t('Submitting...')}
          onCancel={onClose}
        />
      }
    >
      <div className={rejected ? 'grid grid-cols-1 gap-5 md:grid-cols-[17rem_minmax(0,1fr)] md:gap-6' : undefined}>
        {rejected && <EarlierVerdict work={rejected} />}
        <form id={formId} noValidate onSubmit={onSubmit} className="grid grid-cols-1 content-start gap-5">
          {hasDraft && <DraftNotice onStartOver={startOver} disabled={submission.isSending} />}
          {props.children}
          {submission.failure && <Failure failure={submission.failure} />}
        </form>
      </div>
    </Dialog>
  )
}

function bringIntoView(box: HTMLElement | null): void {
  box?.focus({ preventScroll: true })
  box?.scrollIntoView({ block: 'nearest' })
}

/** Below the form, which may be out of view on phones: scrolls into view and takes the focus. */
function Failure({ failure }: { failure: SubmitFailure }) {
  return (
    <div ref={bringIntoView} tabIndex={-1} className="scroll-my-4 rounded-control">
      {failure.kind === 'upload' ? (
        <Notice tone="bad">{failure.translated}</Notice>
      ) : (
        <Notice tone="bad" message={failure.message} />
      )}
    </div>
  )
}
