import { gradeOf, pointsFor, type Submission } from '@community/contract'
import { FEEDBACK_LENGTH_MAX, SCORE } from '@community/contract/limits'
import { type FormEvent, useId, useRef, useState } from 'react'
import { TeamTile } from '../../brand/team-tile.tsx'
import { WorkContent } from '../../brand/work-content.tsx'
import { failureOf } from '../../lib/failure.ts'
import { formatNumber, msg, useT } from '../../lib/i18n.ts'
import { settled, useOneAtATime } from '../../lib/one-at-a-time.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Radio } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { reloadListsSoon } from './admin-queries.ts'
import { PendingQueue } from './pending-queue.tsx'
import { clampedScore } from './score.ts'

export interface EvaluateDialogProps {
  submission: Submission
  /** Where the focus goes on after the verdict on a submission. */
  placeAfter: (judged: Submission) => HTMLElement | null
  onClose: () => void
}

type Verdict = 'approved' | 'rejected'

/** What is filled in about a submission. */
interface Draft {
  verdict: Verdict
  score: number | null
  feedback: string
}

const BLANK: Draft = { verdict: 'approved', score: SCORE.min, feedback: '' }

/** Gives the verdict on a submission, and leads through those that wait for one; what is filled in about each is kept meanwhile. */
export function EvaluateDialog({ submission: first, ...rest }: EvaluateDialogProps) {
  const [submission, setSubmission] = useState(first)
  const [drafts, setDrafts] = useState<Record<string, Draft>>({})
  return (
    <EvaluationForm
      submission={submission}
      draft={drafts[submission.id] ?? BLANK}
      onDraft={(draft) => setDrafts({ ...drafts, [submission.id]: draft })}
      onGo={setSubmission}
      {...rest}
    />
  )
}

/** Gives the verdict. One that was given before is taken back first, once, however often the new one is tried. */
function useVerdict({ id, status }: Submission, onDone: () => void) {
  const takenBack = useRef<string>(null)
  const reset = trpc.submissions.resetEvaluation.useMutation({
    meta: { failed: msg('Failed to evaluate submission'), invalidates: [] },
    onSuccess: () => {
      takenBack.current = id
      reloadListsSoon()
    },
  })
  const evaluate = trpc.submissions.evaluate.useMutation({
    meta: {
      done: msg('Submission evaluated successfully'),
      failed: msg('Failed to evaluate submission'),
      invalidates: [],
    },
    onSuccess: () => {
      reloadListsSoon()
      onDone()
    },
  })
  return {
    isPending: reset.isPending || evaluate.isPending,
    error: evaluate.error ?? reset.error,
    forget: () => {
      reset.reset()
      evaluate.reset()
    },
    give: async ({ verdict, score, feedback }: Draft) => {
      if (status !== 'pending' && takenBack.current !== id) await reset.mutateAsync({ id })
      await evaluate.mutateAsync({
        id,
        status: verdict,
        feedback: feedback.trim(),
        ...(verdict === 'approved' && score !== null && { score }),
      })
    },
  }
}

interface EvaluationFormProps extends EvaluateDialogProps {
  draft: Draft
  onDraft: (draft: Draft) => void
  onGo: (submission: Submission) => void
}

/** Approved with a score, or rejected; words for the team with both. */
function EvaluationForm({ submission, draft, onDraft, onGo, placeAfter, onClose }: EvaluationFormProps) {
  const t = useT()
  const formId = useId()
  const { verdict, score, feedback } = draft
  const finalFocus = useRef<HTMLElement>(null)
  const evaluation = useVerdict(submission, () => {
    finalFocus.current = placeAfter(submission)
    onClose()
  })
  const lacksScore = verdict === 'approved' && score === null
  const isTooLong = feedback.length > FEEDBACK_LENGTH_MAX
  const judge = useOneAtATime(() => settled(evaluation.give(draft)))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!lacksScore && !isTooLong) void judge()
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
            current={submission.id}
            disabled={evaluation.isPending}
            onGo={(next) => {
              // What was refused about one is not said of the next.
              evaluation.forget()
              onGo(next)
            }}
          />
          <Button onClick={onClose} aria-disabled={evaluation.isPending}>
            {t('Cancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={lacksScore || isTooLong}
            busy={evaluation.isPending}
            busyLabel={t('Evaluating...')}
          >
            {t('Submit Evaluation')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        <Work submission={submission} />
        <form id={formId} noValidate onSubmit={onSubmit} className="grid content-start gap-5">
          {submission.status !== 'pending' && (
            <Notice>
              {t('This work has a verdict. It is taken back, with its points, when you submit a new one.')}
            </Notice>
          )}
          <VerdictChoice verdict={verdict} onChange={(next) => onDraft({ ...draft, verdict: next })} />
          {verdict === 'approved' && (
            <ScoreField
              score={score}
              onChange={(next) => onDraft({ ...draft, score: next })}
              points={submission.challengeId.points}
            />
          )}
          <Field label={t('Feedback')} error={isTooLong ? 'Feedback cannot exceed 5000 characters' : undefined}>
            <TextArea
              value={feedback}
              max={FEEDBACK_LENGTH_MAX}
              onChange={(event) => onDraft({ ...draft, feedback: event.target.value })}
            />
          </Field>
          {evaluation.error && <Notice tone="bad" message={failureOf(evaluation.error).message} />}
        </form>
      </div>
    </Dialog>
  )
}

function Work({ submission }: { submission: Submission }) {
  const t = useT()
  const { submittedBy, metadata } = submission
  return (
    <div className="grid content-start gap-3">
      <WorkContent work={submission} />
      {submittedBy && (
        <p className="text-sm text-ink-2">
          {t('{label}:', { label: t('Submitted By') })} <bdi>{submittedBy.name}</bdi>
        </p>
      )}
      {metadata.submissionNotes !== '' && (
        <p dir="auto" className="rounded-control bg-sunken px-3 py-2 whitespace-pre-line">
          {metadata.submissionNotes}
        </p>
      )}
    </div>
  )
}

function VerdictChoice({ verdict, onChange }: { verdict: Verdict; onChange: (verdict: Verdict) => void }) {
  const t = useT()
  const choices: { value: Verdict; label: string }[] = [
    { value: 'approved', label: t('Approved') },
    { value: 'rejected', label: t('Rejected') },
  ]
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('Status')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {choices.map(({ value, label }) => (
          <Radio
            key={value}
            name="verdict"
            label={label}
            value={value}
            checked={verdict === value}
            onChange={() => onChange(value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface ScoreFieldProps {
  score: number | null
  onChange: (score: number | null) => void
  /** What the challenge is worth. */
  points: number
}

function ScoreField({ score, onChange, points }: ScoreFieldProps) {
  const t = useT()
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t('Score')}
        required
        error={score === null ? 'Please enter a valid score (1-100)' : undefined}
        hint={t('A whole number from 1 to 100')}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          min={SCORE.min}
          max={SCORE.max}
          step={1}
          value={score ?? ''}
          onChange={(event) => onChange(clampedScore(event.target.value))}
        />
      </Field>
      {/* A second way to the same value, for pointers only: the field above is the one for everybody. */}
      <input
        type="range"
        aria-hidden="true"
        tabIndex={-1}
        min={SCORE.min}
        max={SCORE.max}
        value={score ?? SCORE.min}
        onChange={(event) => onChange(clampedScore(event.target.value))}
        className="h-6 w-full accent-primary"
      />
      <output className="flex items-center gap-3 rounded-control bg-sunken px-3 py-2">
        {score !== null && (
          <>
            <span className="text-2xl leading-none font-bold">{gradeOf(score)}</span>
            <span className="text-sm text-ink-2">
              {t('{earned} of {points} points', {
                earned: formatNumber(pointsFor(points, score)),
                points: formatNumber(points),
              })}
            </span>
          </>
        )}
      </output>
    </div>
  )
}
