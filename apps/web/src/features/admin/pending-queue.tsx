import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { browserStore } from '../../lib/storage.ts'
import { trpc } from '../../lib/trpc.ts'
import { useKeyboardShortcuts } from '../../lib/use-keyboard-shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'

interface PendingQueueProps {
  /** The submission that is shown. */
  current: string
  onSelect: (submission: Submission) => void
  disabled: boolean
}

/** Stores that the shortcuts are off: speech input may trigger single letters by accident (WCAG 2.1.4). */
const SHORTCUTS_OFF_KEY = 'evaluationKeysOff'

/** The position among the pending submissions, oldest first, with buttons to the next (J) and previous (K), wrapping around. */
export function PendingQueue({ current, onSelect, disabled }: PendingQueueProps) {
  const t = useT()
  const { data } = useQuery(trpc.submissions.pending.queryOptions({ limit: PAGE_SIZE.max }))
  const queue = data?.submissions ?? []
  const position = queue.findIndex(({ id }) => id === current)
  const moveBy = (steps: 1 | -1) => {
    const target = position < 0 ? undefined : queue.at((position + steps) % queue.length)
    if (target && !disabled) onSelect(target)
  }
  const next = () => moveBy(1)
  const previous = () => moveBy(-1)
  const [areShortcutsOn, setShortcutsOn] = useState(browserStore.read(SHORTCUTS_OFF_KEY) === null)
  useKeyboardShortcuts({ KeyJ: next, KeyK: previous }, areShortcutsOn)
  const toggleShortcuts = () => {
    if (areShortcutsOn) browserStore.write(SHORTCUTS_OFF_KEY, 'yes')
    else browserStore.remove(SHORTCUTS_OFF_KEY)
    setShortcutsOn(!areShortcutsOn)
  }
  if (position < 0 || queue.length < 2) return null
  return (
    <div className="flex items-center justify-center gap-1 sm:me-auto">
      <IconButton
        label={t('Previous pending submission (K)')}
        aria-keyshortcuts={areShortcutsOn ? 'K' : undefined}
        aria-disabled={disabled}
        className="aria-disabled:opacity-55"
        onClick={previous}
      >
        <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <output className="text-sm text-ink-2">
        {t('{place} of {count} pending', {
          place: formatNumber(position + 1),
          count: formatNumber(data?.pagination.total ?? queue.length),
        })}
      </output>
      <IconButton
        label={t('Next pending submission (J)')}
        aria-keyshortcuts={areShortcutsOn ? 'J' : undefined}
        aria-disabled={disabled}
        className="aria-disabled:opacity-55"
        onClick={next}
      >
        <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <IconButton
        label={t('Keyboard shortcuts J and K')}
        aria-pressed={areShortcutsOn}
        className="hidden aria-pressed:text-primary pointer-fine:inline-flex"
        onClick={toggleShortcuts}
      >
        <Keyboard aria-hidden="true" />
      </IconButton>
    </div>
  )
}
