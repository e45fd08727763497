import type { Submission } from '@community/contract'
import { useId } from 'react'
import { StatusBadge } from '../../components/submission-badges.tsx'
import { WorkContent } from '../../components/work-content.tsx'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { LinkedText } from '../../ui/linked-text.tsx'

/** The rejected work and its feedback. */
export function EarlierVerdict({ work }: { work: Submission }) {
  const t = useT()
  const headingId = useId()
  const { status, feedback, evaluatedAt } = work
  return (
    <section
      aria-labelledby={headingId}
      className="grid grid-cols-1 content-start gap-3 rounded-card bg-sunken p-4 md:self-start"
    >
      <h3 id={headingId} className="flex flex-wrap items-center justify-between gap-2 text-lg">
        {t('Previous submission')}
        <StatusBadge status={status} />
      </h3>
      <div>
        <p className="text-sm font-medium text-muted">{t('Feedback')}</p>
        {feedback ? (
          <p dir="auto" className="whitespace-pre-line">
            <LinkedText text={feedback} />
          </p>
        ) : (
          <p className="text-ink-2">{t('No feedback was given.')}</p>
        )}
      </div>
      <WorkContent work={work} />
      {evaluatedAt && <p className="text-sm text-ink-2">{t('Judged on {date}', { date: formatDate(evaluatedAt) })}</p>}
    </section>
  )
}
