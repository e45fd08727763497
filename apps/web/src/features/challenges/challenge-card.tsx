import type { Challenge } from '@community/contract'
import { REQUIREMENTS_ON_CARD } from '@community/contract/limits'
import { clsx } from 'clsx'
import { Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { Deadline, DifficultyMark } from '../../components/challenge-badges.tsx'
import { CATEGORY_LABELS } from '../../components/challenge-labels.ts'
import { formatInstant, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'

interface ChallengeCardProps {
  challenge: Challenge
  now: Date
  isHighlighted: boolean
  onOpen: () => void
  /** The card's buttons. */
  action: ReactNode
}

/** The element id of a card, for links to it. */
export const cardId = (challengeId: string): string => `challenge-${challengeId}`

/** One challenge in the list; pressing it anywhere but on its buttons opens the details. */
export function ChallengeCard({ challenge, now, isHighlighted, onOpen, action }: ChallengeCardProps) {
  const t = useT()
  return (
    <li
      id={cardId(challenge.id)}
      className={clsx(
        'relative grid grid-cols-1 grid-rows-[auto_1fr_auto] gap-3 rounded-card border border-line bg-surface p-4 transition-colors hover:border-control',
        'scroll-mt-[calc(var(--header)+1rem)]',
        isHighlighted && 'highlight',
      )}
    >
      <div className="grid grid-cols-1 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="text-sm text-muted">{t(CATEGORY_LABELS[challenge.category])}</span>
          <span className="flex flex-wrap gap-2">
            {!challenge.isActive && <Badge>{t('Inactive')}</Badge>}
            <Deadline challenge={challenge} now={now} />
          </span>
        </div>
        <h3 className="text-lg">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onOpen}
            className="text-start after:absolute after:inset-0 after:rounded-card hover:text-primary"
          >
            <bdi>{challenge.title}</bdi>
          </button>
        </h3>
      </div>
      <div className="grid content-start gap-3">
        <p dir="auto" className="line-clamp-2 text-ink-2">
          {challenge.description}
        </p>
        <Requirements requirements={challenge.requirements} />
      </div>
      <div className="grid grid-cols-1 gap-2 border-t border-line pt-3">
        <p className="text-sm text-muted">
          {t('Deadline')} <time dateTime={challenge.deadline}>{formatInstant(challenge.deadline)}</time>
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="font-semibold">
              {t('{count, plural, one {# point} other {# points}}', { count: challenge.points })}
            </p>
            <DifficultyMark difficulty={challenge.difficulty} />
          </div>
          <div className="relative">{action}</div>
        </div>
      </div>
    </li>
  )
}

function Requirements({ requirements }: { requirements: readonly string[] }) {
  const t = useT()
  const hiddenCount = requirements.length - REQUIREMENTS_ON_CARD
  return (
    <ul className="grid gap-1 text-sm">
      {requirements.slice(0, REQUIREMENTS_ON_CARD).map((requirement) => (
        <li key={requirement} className="flex items-start gap-2">
          <Square aria-hidden="true" className="mt-1 size-3 shrink-0 text-control" />
          <bdi className="line-clamp-2">{requirement}</bdi>
        </li>
      ))}
      {hiddenCount > 0 && (
        <li className="ps-5 text-muted">{t('+{count} more', { count: formatNumber(hiddenCount) })}</li>
      )}
    </ul>
  )
}
