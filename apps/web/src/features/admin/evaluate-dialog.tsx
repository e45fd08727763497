import { gradeOf, pointsFor, type Submission } from '@community/contract'
import { FEEDBACK_LENGTH_MAX, SCORE } from '@community/contract/limits'
import { type FormEvent, useId, useState } from 'react'
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
import { clampedScore } from './score.ts'

export interface EvaluateDialogProps {
  submission: Submission
  onClose: () => void
}

type Verdict = 'approved' | 'rejected'

/** Gives the verdict on a submission: approved with a score, or rejected; words for the team with both. */
export function EvaluateDialog({ submission, onClose }: EvaluateDialogProps) {
  const t = useT()
  const formId = useId()
  const [verdict, setVerdict] = useState<Verdict>('approved')
  const [score, setScore] = useState<number | null>(SCORE.min)
  const [feedback, setFeedback] = useState('')
  const evaluate = trpc.submissions.evaluate.useMutation({
    meta: {
      done: msg('Submission evaluated successfully'),
      failed: msg('Failed to evaluate submission'),
      invalidates: [],
    },
    onSuccess: () => {
      reloadListsSoon()
      onClose()
    },
  })
  const lacksScore = verdict === 'approved' && score === null
  const isTooLong = feedback.length > FEEDBACK_LENGTH_MAX
  const judge = useOneAtATime(() =>
    settled(
      evaluate.mutateAsync({
        id: submission.id,
        status: verdict,
        feedback: feedback.trim(),
        ...(verdict === 'approved' && score !== null && { score }),
      }),
    ),
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!lacksScore && !isTooLong) void judge()
  }
  return (
    <Dialog
      open
      size="lg"
      title={t('Evaluate Submission')}
      dismissible={!evaluate.isPending}
      onOpenChange={onClose}
      head={<TeamTile name={submission.teamId.name} size="sm" />}
      description={
        <>
          <bdi>{submission.teamId.name}</bdi> · <bdi>{submission.challengeId.title}</bdi>
        </>
      }
      footer={
        <>
          <Button onClick={onClose} aria-disabled={evaluate.isPending}>
            {t('Cancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={lacksScore || isTooLong}
            busy={evaluate.isPending}
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
          <VerdictChoice verdict={verdict} onChange={setVerdict} />
          {verdict === 'approved' && (
            <ScoreField score={score} onChange={setScore} points={submission.challengeId.points} />
          )}
          <Field label={t('Feedback')} error={isTooLong ? 'Feedback cannot exceed 5000 characters' : undefined}>
            <TextArea
              value={feedback}
              max={FEEDBACK_LENGTH_MAX}
              onChange={(event) => setFeedback(event.target.value)}
            />
          </Field>
          {evaluate.error && <Notice tone="bad" message={failureOf(evaluate.error).message} />}
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
          {t('Submitted By')}: <bdi>{submittedBy.name}</bdi>
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
