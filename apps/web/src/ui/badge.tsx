import { clsx } from 'clsx'
import { Clock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from './notice.tsx'

const TONES: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-2',
  info: 'bg-primary-soft text-primary',
  ok: 'bg-ok-soft text-ok',
  gold: 'bg-gold-soft text-gold',
  bad: 'bg-bad-soft text-bad',
}

interface BadgeProps {
  tone?: Tone
  icon?: LucideIcon
  className?: string
  children: ReactNode
}

/** A status or a role in one word. The text says it; the colour only repeats it. */
export function Badge({ tone = 'neutral', icon: Icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        // On one line, unless that is wider than its container.
        'inline-flex w-max max-w-full shrink-0 items-center gap-1.5 rounded-sm px-2 py-0.5 text-sm font-semibold leading-snug',
        TONES[tone],
        className,
      )}
    >
      {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
      {children}
    </span>
  )
}

const LEVELS = [1, 2, 3, 4]

/** A level as one to four filled squares, with its label. */
export function LevelMark({ level, children }: { level: 1 | 2 | 3 | 4; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm font-medium text-ink-2">
      <span aria-hidden="true" className="inline-flex gap-0.5">
        {LEVELS.map((step) => (
          <span key={step} className={clsx('size-2.5 border border-current', step <= level && 'bg-current')} />
        ))}
      </span>
      {children}
    </span>
  )
}

interface DeadlineChipProps {
  /** 'near': 3 days or fewer. */
  state: 'open' | 'near' | 'past'
  children: ReactNode
}

/** When something ends; highlighted if that is near. */
export function DeadlineChip({ state, children }: DeadlineChipProps) {
  if (state === 'near') {
    return (
      <Badge tone="gold" icon={Clock}>
        {children}
      </Badge>
    )
  }
  return <Badge tone={state === 'past' ? 'bad' : 'neutral'}>{children}</Badge>
}
