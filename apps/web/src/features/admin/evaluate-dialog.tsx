import type { Submission } from '@community/contract'
import { FEEDBACK_LENGTH_MAX, SCORE } from '@community/contract/limits'
import { createMessage } from '@community/contract/message'
import { type FormEvent, useId, useRef, useState } from 'react'
import { TeamTile } from '../../components/team-tile.tsx'
import { WorkContent } from '../../components/work-content.tsx'
import { countCharacters } from '../../lib/count-characters.ts'
import { useT, msg } from '../../lib/i18n.ts'
import { useUserDraft } from '../../lib/memory-state.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useCurrentSubmission } from './current-submission.ts'
import { PendingQueue } from './pending-queue.tsx'
import { ScoreField } from './score-field.tsx'
import { type Evaluation, useEvaluation } from './use-evaluation.ts'
import { VerdictChoice } from './verdict-choice.tsx'
import { OutdatedNotice, ReplacesVerdictNotice } from './verdict-notice.tsx'

interface EvaluateDialogProps {
  submission: Submission
  /** Moves the focus after the verdict on a submission. */
  findNextFocus: (evaluated: Submission) => HTMLElement | null
  onClose: () => void
}

const INITIAL_EVALUATION: Evaluation = { verdict: 'approved', score: SCORE.min, feedback: '' }

/** Gives the verdict on a submission and leads through the pending ones. Keeps a draft of each in this tab. */
export function EvaluateDialog({ submission: first, ...rest }: EvaluateDialogProps) {
  const [opened, setOpened] = useState(first)
  const { submission, isDeleted } = useCurrentSubmission(opened)
  const [stored, store] = useUserDraft('evaluationDrafts')
  // Only this dialog writes them.
  const drafts = JSON.parse(stored ?? '{}') as Record<string, Evaluation>
  const [restoredIds, setRestoredIds] = useState(() => Object.keys(drafts))
  const { [submission.id]: draft, ...others } = drafts
  const changeDraft = (next: Evaluation) => {
    const isInitial = JSON.stringify(next) === JSON.stringify(INITIAL_EVALUATION)
    store(JSON.stringify(isInitial ? others : { ...others, [submission.id]: next }))
  }
  return (
    <EvaluationForm
      submission={submission}
      hasNewVerdict={submission.evaluatedAt !== null && submission.evaluatedAt !== opened.evaluatedAt}
      isDeleted={isDeleted}
      draft={draft ?? INITIAL_EVALUATION}
      isRestored={draft !== undefined && restoredIds.includes(submission.id)}
      onDraftChange={changeDraft}
      onStartOver={() => {
        changeDraft(INITIAL_EVALUATION)
        setRestoredIds(restoredIds.filter((id) => id !== submission.id))
      }}
      onSelect={setOpened}
      {...rest}
    />
  )
}

interface EvaluationFormProps extends EvaluateDialogProps {
  /** The submission has been evaluated since it was opened, by another administrator or by an attempt whose response was lost. */
  hasNewVerdict: boolean
  isDeleted: boolean
  draft: Evaluation
  /** The draft is from an earlier opening of the dialog. */
  isRestored: boolean
  onDraftChange: (draft: Evaluation) => void
  onStartOver: () => void
  onSelect: (submission: Submission) => void
}

/** Approves with a score or rejects, both with feedback. */
function EvaluationForm(props: EvaluationFormProps) {
  const { submission, hasNewVerdict, isDeleted, draft, isRestored } = props
  const { onDraftChange, onStartOver, onSelect, findNextFocus, onClose } = props
  const t = useT()
  const formId = useId()
  const { verdict, score, feedback } = draft
  const finalFocus = useRef<HTMLElement>(null)
  const evaluation = useEvaluation(submission, () => {
    onDraftChange(INITIAL_EVALUATION)
    finalFocus.current = findNextFocus(submission)
    onClose()
  })
  const isOutdated = hasNewVerdict || isDeleted
  const isScoreMissing = verdict === 'approved' && score === null
  const isTooLong = countCharacters(feedback) > FEEDBACK_LENGTH_MAX
  const evaluate = useSingleFlight(() => evaluation.evaluate(draft))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isScoreMissing && !isTooLong && !isOutdated) void evaluate()
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
        <>
          <PendingQueue
            current={submission}
            disabled={evaluation.isPending}
            onSelect={(next) => {
              // An error of one submission must not be shown for the next.
              evaluation.reset()
              onSelect(next)
            }}
          />
          <Button onClick={onClose} aria-disabled={evaluation.isPending}>
            {t('Cancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={isScoreMissing || isTooLong}
            // Unlike `disabled`, it keeps the focus when another administrator was first.
            aria-disabled={isOutdated}
            busy={evaluation.isPending}
            busyLabel={t('Evaluating...')}
          >
            {t('Submit Evaluation')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        {/* A key: whether the picture is shown or has failed belongs to one submission. */}
        <SubmissionWork key={submission.id} submission={submission} />
        <form id={formId} noValidate onSubmit={onSubmit} className="grid content-start gap-5">
          {isRestored && <DraftNotice onStartOver={onStartOver} disabled={evaluation.isPending} />}
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

function SubmissionWork({ submission }: { submission: Submission }) {
  const t = useT()
  const { submittedBy, metadata } = submission
  return (
    <div className="grid content-start gap-3">
      <WorkContent work={submission} showsUrl />
      {submittedBy && (
        <p className="text-sm text-ink-2">
          {t('{label}:', { label: t('Submitted By') })} <bdi>{submittedBy.name}</bdi>
        </p>
      )}
      {metadata.submissionNotes !== '' && (
        <p dir="auto" className="rounded-control bg-sunken px-3 py-2 whitespace-pre-line">
          <LinkedText text={metadata.submissionNotes} isByMember />
        </p>
      )}
    </div>
  )
}
