import { appErrors, type Submission } from '@community/contract'
import { Score, StatusBadge } from '../../components/submission-badges.tsx'
import { useT } from '../../lib/i18n.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Says what a new evaluation would replace. */
export function ReplacesVerdictNotice({ status }: Pick<Submission, 'status'>) {
  const t = useT()
  return (
    <Notice>
      {status === 'approved'
        ? t('This submission has already been evaluated. A new evaluation replaces the current one and its points.')
        : t('This submission has already been evaluated. A new evaluation replaces the current one.')}
    </Notice>
  )
}

const scrollIntoView = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' })

/** Why the evaluation can no longer be submitted. Below the form, near the disabled button; scrolls into view, as that part may be further down on a phone. */
export function OutdatedNotice({ submission, isDeleted }: { submission: Submission; isDeleted: boolean }) {
  return (
    <div ref={scrollIntoView} className="scroll-my-4">
      {isDeleted ? (
        <Notice tone="bad" message={appErrors.submissionMissing} />
      ) : (
        <NewVerdictNotice submission={submission} />
      )}
    </div>
  )
}

/** The verdict that another administrator gave while the evaluation was open. */
function NewVerdictNotice({ submission }: { submission: Submission }) {
  const t = useT()
  const { evaluatedBy, status, score, feedback } = submission
  return (
    <Notice tone="bad">
      <div className="grid grid-cols-1 gap-2">
        <p>{t('Evaluated meanwhile by {name}.', { name: evaluatedBy?.name ?? t('Deleted account') })}</p>
        <p className="flex flex-wrap items-center gap-3 text-ink">
          <StatusBadge status={status} />
          {score !== null && <Score score={score} />}
        </p>
        {feedback && (
          <p dir="auto" className="whitespace-pre-line text-ink">
            <LinkedText text={feedback} />
          </p>
        )}
        <p>{t('Your draft is kept. To replace this evaluation, open it again from the details.')}</p>
      </div>
    </Notice>
  )
}
