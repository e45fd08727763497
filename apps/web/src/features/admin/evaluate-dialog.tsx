import type { Submission } from '@community/contract'
import { SCORE } from '@community/contract/limits'
import { useState } from 'react'
import { useUserDraft } from '../../lib/memory-state.ts'
import { useCurrentSubmission } from './current-submission.ts'
import { EvaluationForm } from './evaluation-form.tsx'
import type { Evaluation } from './use-evaluation.ts'

interface EvaluateDialogProps {
  submission: Submission
  /** The search of the list: the evaluation leads through the pending submissions that it finds. */
  search: string | undefined
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
      isUntouched={draft === undefined}
      onDraftChange={changeDraft}
      onDraftDelete={() => {
        changeDraft(INITIAL_EVALUATION)
        setRestoredIds(restoredIds.filter((id) => id !== submission.id))
      }}
      onSelect={setOpened}
      {...rest}
    />
  )
}
