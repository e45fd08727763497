import type { Message } from '@community/contract'
import { clsx } from 'clsx'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { KHATAM_PATH } from './khatam.tsx'
import { ServerText } from './server-text.tsx'

const GRID = [0, 1, 2, 3, 4, 5]
const MISSING = 4

/** A picture of tiles, one of them missing. */
function MissingTile() {
  return (
    <svg viewBox="-1 -1 194 130" aria-hidden="true" className="h-20 w-auto text-line">
      {GRID.map((cell) => (
        <path
          key={cell}
          d={KHATAM_PATH}
          transform={`translate(${(cell % 3) * 64} ${Math.floor(cell / 3) * 64})`}
          fill={cell === MISSING ? 'none' : 'currentColor'}
          className={cell === MISSING ? 'stroke-control' : undefined}
          strokeDasharray={cell === MISSING ? '5 4' : undefined}
          strokeWidth={cell === MISSING ? 1.5 : undefined}
        />
      ))}
    </svg>
  )
}

export interface EmptyStateProps {
  title: ReactNode
  /** The reason, in one sentence. */
  children?: ReactNode
  /** A button. */
  action?: ReactNode
  className?: string
}

/** An empty list: the reason, and what to do. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={clsx('grid justify-items-center gap-4 px-4 py-12 text-center', className)}>
      <MissingTile />
      <div className="grid max-w-md gap-1">
        <p className="text-lg font-semibold">{title}</p>
        {children && <p className="text-ink-2">{children}</p>}
      </div>
      {action}
    </div>
  )
}

export interface ErrorStateProps {
  title: ReactNode
  /** A message of the server; it is translated here. */
  message?: Message | undefined
  onRetry?: () => void
  busy?: boolean
  className?: string | undefined
}

/** A failed request: what failed, and Try Again. */
export function ErrorState({ title, message, onRetry, busy = false, className }: ErrorStateProps) {
  const t = useT()
  return (
    <div
      role="alert"
      className={clsx(
        'grid justify-items-center gap-4 rounded-card border border-line bg-surface px-4 py-10 text-center',
        className,
      )}
    >
      <div className="grid max-w-md gap-1">
        <p className="text-lg font-semibold">{title}</p>
        {message?.message && (
          <p className="text-ink-2">
            <ServerText of={message} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} busy={busy}>
          <RotateCw aria-hidden="true" />
          {t('Try Again')}
        </Button>
      )}
    </div>
  )
}

/** A placeholder of loading content, shown after 300 ms. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('skeleton', className)} />
}

/** In place of a dialog whose scripts are loading, shown after 300 ms. */
export function DialogLoading() {
  const t = useT()
  // Outside the sections, which contain and clip it by `content-visibility`; inside a modal dialog, which covers everything else.
  // Not `topModal`: its module would come into the first scripts.
  return createPortal(
    <div className="shown-late pointer-events-none fixed inset-0 z-50 grid place-items-center">
      <output className="rounded-card border border-line bg-surface px-6 py-4 shadow-float">{t('Loading...')}</output>
    </div>,
    [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body,
  )
}

/** Tells screen readers that the skeletons inside are loading. */
export function Loading({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  const t = useT()
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{label ?? t('Loading...')}</output>
      {children}
    </div>
  )
}
