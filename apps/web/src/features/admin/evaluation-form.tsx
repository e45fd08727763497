import type { Submission } from '@community/contract'
import { FEEDBACK_LENGTH_MAX } from '@community/contract/limits'
import { createMessage } from '@community/contract/message'
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { TeamTile } from '../../components/team-tile.tsx'
import { countCharacters } from '../../lib/count-characters.ts'
import { useT, msg } from '../../lib/i18n.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { focusFirst } from '../../ui/use-modal.ts'
import { JudgedWork } from './judged-work.tsx'
import { PendingQueueControls } from './pending-queue.tsx'
import { ScoreField } from './score-field.tsx'
import { isSubmitKey, SubmitKeyHint, SUBMIT_KEYS } from './submit-key.tsx'
import { type Evaluation, useEvaluation } from './use-evaluation.ts'
import { usePendingQueue } from './use-pending-queue.ts'
import { VerdictChoice } from './verdict-choice.tsx'
import { OutdatedNotice, ReplacesVerdictNotice } from './verdict-notice.tsx'

interface EvaluationFormProps {
  submission: Submission
  search: string | undefined
  /** The submission has been evaluated since it was opened, by another administrator or by an attempt whose response was lost. */
  hasNewVerdict: boolean
  isDeleted: boolean
  draft: Evaluation
  /** The draft is as the form begins. */
  isUntouched: boolean
  /** The draft is from an earlier opening of the dialog. */
  isRestored: boolean
  onDraftChange: (draft: Evaluation) => void
  onDraftDelete: () => void
  onSelect: (submission: Submission) => void
  findNextFocus: (evaluated: Submission) => HTMLElement | null
  onClose: () => void
}

/** Approves with a score or rejects, both with feedback. */
export function EvaluationForm(props: EvaluationFormProps) {
  const { submission, search, hasNewVerdict, isDeleted, draft, isUntouched, isRestored } = props
  const { onDraftChange, onDraftDelete, onSelect, findNextFocus, onClose } = props
  const t = useT()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const { verdict, score, feedback } = draft
  const finalFocus = useRef<HTMLElement>(null)
  const queue = usePendingQueue(submission, search)
  const evaluation = useEvaluation(submission, (opensNext) => {
    onDraftDelete()
    finalFocus.current = findNextFocus(submission)
    if (!opensNext || !queue.next) return onClose()
    onSelect(queue.next)
    const dialog = form.current?.closest('dialog')
    if (dialog) focusFirst(dialog)
  })
  const isOutdated = hasNewVerdict || isDeleted
  const isScoreMissing = verdict === 'approved' && score === null
  const isTooLong = countCharacters(feedback) > FEEDBACK_LENGTH_MAX
  const evaluate = useSingleFlight((opensNext: boolean) => evaluation.evaluate(draft, opensNext))
  const submit = (opensNext: boolean) => {
    if (!isScoreMissing && !isTooLong && !isOutdated) void evaluate(opensNext)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitKey(event)) return
    event.preventDefault()
    // Pressed twice, the second would approve the next submission with the lowest score.
    if (!isUntouched) submit(queue.hasOthers)
  }
  return (
    <Dialog
      open
      size="lg"
      title={t('Evaluate Submission')}
      dismissible={!evaluation.isPending}
      finalFocus={finalFocus}
      onOpenChange={onClose}
      head={<TeamTile name={submission.teamId.name} size="sm" />}
      description={
        <>
          <bdi>{submission.teamId.name}</bdi> · <bdi>{submission.challengeId.title}</bdi>
        </>
      }
      footer={
        <div className="flex grow flex-wrap items-center justify-end gap-2">
          <PendingQueueControls
            queue={queue}
            disabled={evaluation.isPending}
            onSelect={(next) => {
              // An error of one submission must not be shown for the next.
              evaluation.reset()
              onSelect(next)
            }}
          />
          <Button className="max-sm:grow" onClick={onClose} aria-disabled={evaluation.isPending}>
            {t('Cancel')}
          </Button>
          {queue.hasOthers && (
            <Button
              className="max-sm:grow"
              disabled={isScoreMissing || isTooLong}
              aria-keyshortcuts={SUBMIT_KEYS}
              // Untouched: a double press must not evaluate the next submission too.
              aria-disabled={isOutdated || isUntouched || evaluation.isPending}
              onClick={() => submit(true)}
            >
              {t('Submit and next')}
            </Button>
          )}
          <Button
            variant="primary"
            className="max-sm:grow"
            type="submit"
            form={formId}
            disabled={isScoreMissing || isTooLong}
            aria-keyshortcuts={queue.hasOthers ? undefined : SUBMIT_KEYS}
            // Unlike `disabled`, it keeps the focus when another administrator was first.
            aria-disabled={isOutdated}
            busy={evaluation.isPending}
            busyLabel={t('Evaluating...')}
          >
            {t('Submit Evaluation')}
          </Button>
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        <JudgedWork submission={submission} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key of its fields */}
        <form
          ref={form}
          id={formId}
          noValidate
          onSubmit={onSubmit}
          onKeyDown={onKeyDown}
          className="grid content-start gap-5"
        >
          {isRestored && <DraftNotice onStartOver={onDraftDelete} disabled={evaluation.isPending} />}
          {submission.status !== 'pending' && !hasNewVerdict && <ReplacesVerdictNotice status={submission.status} />}
          <VerdictChoice
            verdict={verdict}
            // Ignores changes while it is sent. `disabled` would take the focus from the control.
            onChange={(next) => !evaluation.isPending && onDraftChange({ ...draft, verdict: next })}
          />
          {verdict === 'approved' && (
            <ScoreField
              score={score}
              readOnly={evaluation.isPending}
              onChange={(next) => onDraftChange({ ...draft, score: next })}
              points={submission.challengeId.points}
            />
          )}
          <Field
            label={t('Feedback')}
            hint={<SubmitKeyHint action={queue.hasOthers ? t('Submit and next') : t('Submit Evaluation')} />}
            error={
              isTooLong
                ? createMessage(msg('Feedback cannot exceed {n} characters'), { n: FEEDBACK_LENGTH_MAX })
                : undefined
            }
          >
            <TextArea
              value={feedback}
              max={FEEDBACK_LENGTH_MAX}
              readOnly={evaluation.isPending}
              onChange={(event) => onDraftChange({ ...draft, feedback: event.target.value })}
            />
          </Field>
          {evaluation.failure && !isOutdated && <Notice tone="bad" message={evaluation.failure} />}
          {isOutdated && <OutdatedNotice submission={submission} isDeleted={isDeleted} />}
        </form>
      </div>
    </Dialog>
  )
}
