import { gradeOf, type Submission } from '@community/contract'
import { CircleCheck, CircleX, Hourglass } from 'lucide-react'
import { formatNumber } from '../lib/format.ts'
import { msg, useT } from '../lib/i18n.ts'
import { Badge } from '../ui/badge.tsx'

export type SubmissionStatus = Submission['status']

/** English labels; translate with `t`. */
export const STATUS_LABELS: Record<SubmissionStatus, string> = {
  pending: msg('Pending'),
  approved: msg('Approved'),
  rejected: msg('Rejected'),
}

const BADGE_PROPS = {
  pending: { tone: 'neutral', icon: Hourglass },
  approved: { tone: 'ok', icon: CircleCheck },
  rejected: { tone: 'bad', icon: CircleX },
} as const

/** The status of a submission. */
export function StatusBadge({ status }: { status: SubmissionStatus }) {
  const t = useT()
  return <Badge {...BADGE_PROPS[status]}>{t(STATUS_LABELS[status])}</Badge>
}

/** A score as x/100 with its grade letter. */
export function Score({ score }: { score: number }) {
  const t = useT()
  const grade = gradeOf(score)
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span dir="ltr" className="font-semibold tabular-nums">
        {formatNumber(score)}/100
      </span>
      <span
        aria-label={t('Grade {grade}', { grade })}
        role="img"
        className="grid size-6 place-items-center rounded-sm bg-sunken text-sm font-bold"
      >
        {grade}
      </span>
    </span>
  )
}
