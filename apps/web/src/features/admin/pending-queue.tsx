import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { ChevronLeft, ChevronRight, Keyboard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { browserStore } from '../../lib/storage.ts'
import { trpc } from '../../lib/trpc.ts'
import { IconButton } from '../../ui/button.tsx'

interface PendingQueueProps {
  /** The submission that is looked at. */
  current: string
  onGo: (submission: Submission) => void
  disabled: boolean
}

/** Where the letters mean themselves. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

/** By the place of the key, so that Arabic keyboards have them too. */
function useKeys(keys: Record<string, () => void>, isOn: boolean): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const run = latest.current[event.code] ?? latest.current[`Key${event.key.toUpperCase()}`]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}

/** Where somebody switched the keys off: who speaks to the machine says single letters without meaning them. */
const KEYS_OFF = 'evaluationKeysOff'

/** The place among the submissions that wait for a verdict, the oldest first, and the way to the ones beside it; after the last comes the first. J leads on and K back. */
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
  const [areKeysOn, setKeysOn] = useState(browserStore.read(KEYS_OFF) === null)
  useKeys({ KeyJ: next, KeyK: previous }, areKeysOn)
  const switchKeys = () => {
    if (areKeysOn) browserStore.write(KEYS_OFF, 'yes')
    else browserStore.drop(KEYS_OFF)
    setKeysOn(!areKeysOn)
  }
  if (place < 0 || queue.length < 2) return null
  return (
    <div className="flex items-center justify-center gap-1 sm:me-auto">
      <IconButton
        label={t('Previous pending one (K)')}
        aria-keyshortcuts={areKeysOn ? 'K' : undefined}
        aria-disabled={disabled}
        className="aria-disabled:opacity-55"
        onClick={previous}
      >
        <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <output className="text-sm text-ink-2">
        {t('{place} of {count} pending', {
          place: formatNumber(place + 1),
          count: formatNumber(data?.pagination.total ?? queue.length),
        })}
      </output>
      <IconButton
        label={t('Next pending one (J)')}
        aria-keyshortcuts={areKeysOn ? 'J' : undefined}
        aria-disabled={disabled}
        className="aria-disabled:opacity-55"
        onClick={next}
      >
        <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      <IconButton
        label={t('Keys J and K')}
        aria-pressed={areKeysOn}
        className="hidden aria-pressed:text-primary pointer-fine:inline-flex"
        onClick={switchKeys}
      >
        <Keyboard aria-hidden="true" />
      </IconButton>
    </div>
  )
}
