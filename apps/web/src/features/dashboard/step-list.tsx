import { clsx } from 'clsx'
import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const TONES = {
  info: 'bg-primary-soft text-primary',
  gold: 'bg-gold-soft text-gold',
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
}

export interface Step {
  id: string
  icon: LucideIcon
  tone?: keyof typeof TONES
  title: ReactNode
  note: ReactNode
  /** Shown before the note: a status, a deadline. */
  chip?: ReactNode
  /** Where it leads. */
  target: string | (() => void)
}

/** Things to do, each with the way to it: the whole row is one link or button. The rows share the height. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className="grid grid-cols-1 auto-rows-[minmax(4rem,1fr)] divide-y divide-line">
      {steps.map(({ id, icon: Icon, tone = 'info', title, note, chip, target }) => (
        <li key={id} className="relative flex items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken">
          <span className={clsx('grid size-10 shrink-0 place-items-center rounded-control', TONES[tone])}>
            <Icon aria-hidden="true" className="size-5" />
          </span>
          <div className="min-w-0 grow">
            <StepTarget target={target}>{title}</StepTarget>
            <p
              className={clsx(
                'text-sm text-ink-2',
                chip ? 'flex items-center gap-x-2 max-sm:flex-wrap' : 'line-clamp-3',
              )}
            >
              {chip && <span className="flex shrink-0">{chip}</span>}
              <span className={clsx(chip && 'max-sm:line-clamp-2 sm:truncate')}>{note}</span>
            </p>
          </div>
          <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted rtl:-scale-x-100" />
        </li>
      ))}
    </ul>
  )
}

const TARGET_CLASS =
  'block w-full truncate text-start font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-primary'

function StepTarget({ target, children }: { target: Step['target']; children: ReactNode }) {
  return typeof target === 'string' ? (
    <a href={target} className={TARGET_CLASS}>
      {children}
    </a>
  ) : (
    <button type="button" onClick={target} className={TARGET_CLASS}>
      {children}
    </button>
  )
}
