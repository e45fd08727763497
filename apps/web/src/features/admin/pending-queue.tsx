import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Keyboard } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { trpc } from '../../lib/trpc.ts'
import { useKeyboardShortcuts, useShortcutSwitch } from '../../lib/use-keyboard-shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'

interface PendingQueueProps {
  /** The submission that is shown. It is not in the queue once it is evaluated. */
  current: Submission
  onSelect: (submission: Submission) => void
  disabled: boolean
}

/** Since when it waits, in the order of the queue. */
const waitingSince = ({ createdAt, resubmittedAt }: Submission): string => resubmittedAt ?? createdAt

/** The position among the pending submissions, the longest waiting first, with buttons to the next (J) and previous (K), wrapping around. */
export function PendingQueue({ current, onSelect, disabled }: PendingQueueProps) {
  const t = useT()
  const list = infiniteList(
    useInfiniteQuery(trpc.submissions.pending.infiniteQueryOptions({ limit: PAGE_SIZE.max }, BY_CURSOR)),
    (page) => page.submissions,
  )
  // An administrator's own teams are for the others to evaluate.
  const queue = list.rows.filter(({ canEvaluate }) => canEvaluate !== false)
  const position = queue.findIndex(({ id }) => id === current.id)
  const isQueued = position >= 0
  // Evaluated meanwhile or not loaded: the next is what was submitted after it, or else the longest waiting.
  const place = isQueued
    ? position
    : Math.max(
        queue.findIndex((pending) => waitingSince(pending) > waitingSince(current)),
        0,
      )
  const isLastLoaded = list.hasMore && position === queue.length - 1
  const loadMore = () => {
    if (!list.isLoadingMore) list.loadMore()
  }
  const onLastLoaded = useEffectEvent(loadMore)
  useEffect(() => {
    if (isLastLoaded) onLastLoaded()
  }, [isLastLoaded])
  const select = (target: Submission | undefined) => {
    if (target && !disabled) onSelect(target)
  }
  const next = () => {
    if (isLastLoaded) loadMore()
    else select(queue[isQueued ? (place + 1) % queue.length : place])
  }
  // The last submission is unknown until all are loaded.
  const previous = () => select(place === 0 && list.hasMore ? undefined : queue.at(place - 1))
  const [areShortcutsOn, toggleShortcuts] = useShortcutSwitch('evaluationKeysOff')
  useKeyboardShortcuts({ KeyJ: next, KeyK: previous }, areShortcutsOn)
  if (queue.length === 0 || (isQueued && queue.length === 1)) return null
  return (
    <div className="flex items-center justify-center gap-1 sm:me-auto">
      <IconButton
        label={t('Previous pending submission (K)')}
        aria-keyshortcuts={areShortcutsOn ? 'K' : undefined}
        aria-disabled={disabled}
        onClick={previous}
      >
        <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <output className="text-sm text-ink-2">
        {t('{place} of {count} pending', {
          place: isQueued ? formatNumber(place + 1) : '–',
          count: formatNumber((list.total ?? list.rows.length) - (list.rows.length - queue.length)),
        })}
      </output>
      <IconButton
        label={t('Next pending submission (J)')}
        aria-keyshortcuts={areShortcutsOn ? 'J' : undefined}
        aria-disabled={disabled}
        onClick={next}
      >
        <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <IconButton
        label={t('Keyboard shortcuts J and K')}
        aria-pressed={areShortcutsOn}
        className="aria-pressed:text-primary pointer-coarse:hidden"
        onClick={toggleShortcuts}
      >
        <Keyboard aria-hidden="true" />
      </IconButton>
    </div>
  )
}
