import type { Submission } from '@community/contract'
import { ChevronLeft, ChevronRight, Keyboard } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useKeyboardShortcuts, useShortcutSwitch } from '../../lib/use-keyboard-shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'
import type { PendingQueue } from './use-pending-queue.ts'

interface PendingQueueControlsProps {
  queue: PendingQueue
  onSelect: (submission: Submission) => void
  disabled: boolean
}

/** The position among the pending submissions, with buttons to the next (J) and previous (K). */
export function PendingQueueControls({ queue, onSelect, disabled }: PendingQueueControlsProps) {
  const t = useT()
  const select = (target: Submission | undefined) => {
    if (target && !disabled) onSelect(target)
  }
  const next = () => {
    if (queue.next) select(queue.next)
    else queue.loadMore()
  }
  const previous = () => select(queue.previous)
  const [areShortcutsOn, toggleShortcuts] = useShortcutSwitch('evaluationKeysOff')
  useKeyboardShortcuts({ KeyJ: next, KeyK: previous }, areShortcutsOn)
  if (!queue.hasOthers) return null
  return (
    <div className="me-auto flex items-center gap-1">
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
          place: queue.position === null ? '–' : formatNumber(queue.position),
          count: formatNumber(queue.count),
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
