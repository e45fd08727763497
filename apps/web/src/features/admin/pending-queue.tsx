import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { IconButton } from '../../ui/button.tsx'

interface PendingQueueProps {
  /** The submission that is looked at. */
  current: string
  onGo: (submission: Submission) => void
  disabled: boolean
}

/** The place among the submissions that wait for a verdict, the oldest first, and the way to the ones beside it; after the last comes the first. On its buttons J leads on and K back. */
export function PendingQueue({ current, onGo, disabled }: PendingQueueProps) {
  const t = useT()
  const { data } = trpc.submissions.pending.useQuery({ limit: PAGE_SIZE.max })
  const queue = data?.submissions ?? []
  const place = queue.findIndex(({ id }) => id === current)
  const go = (steps: 1 | -1) => {
    const wanted = place < 0 ? undefined : queue.at((place + steps) % queue.length)
    if (wanted && !disabled) onGo(wanted)
  }
  const next = () => go(1)
  const previous = () => go(-1)
  // By the place of the key, so that Arabic keyboards have them too.
  const onKeyDown = ({ code, key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) return
    if (code === 'KeyJ' || key.toLowerCase() === 'j') next()
    else if (code === 'KeyK' || key.toLowerCase() === 'k') previous()
  }
  const button = { 'aria-disabled': disabled, className: 'aria-disabled:opacity-55', onKeyDown }
  if (place < 0 || queue.length < 2) return null
  return (
    <div className="flex items-center justify-center gap-1 sm:me-auto">
      <IconButton label={t('Previous pending one (K)')} aria-keyshortcuts="K" onClick={previous} {...button}>
        <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <output className="text-sm text-ink-2">
        {t('{place} of {count} pending', {
          place: formatNumber(place + 1),
          count: formatNumber(data?.pagination.total ?? queue.length),
        })}
      </output>
      <IconButton label={t('Next pending one (J)')} aria-keyshortcuts="J" onClick={next} {...button}>
        <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
    </div>
  )
}
