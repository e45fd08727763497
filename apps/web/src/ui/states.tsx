import type { Message } from '@community/contract'
import { clsx } from 'clsx'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../lib/i18n.ts'
import { useExternalValue } from '../lib/store.ts'
import { Button } from './button.tsx'
import { ServerText } from './server-text.tsx'

interface ErrorStateProps {
  title: ReactNode
  /** A message of the server; it is translated here. */
  message?: Message | undefined
  onRetry?: () => void
  /** Leaves what failed. */
  onClose?: (() => void) | undefined
  busy?: boolean
  className?: string | undefined
}

/** A failed request: what failed, Try Again, and Close. */
export function ErrorState({ title, message, onRetry, onClose, busy = false, className }: ErrorStateProps) {
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
      {onClose && (
        <Button variant="ghost" onClick={onClose}>
          {t('Close')}
        </Button>
      )}
    </div>
  )
}

/** A placeholder of loading content, shown after 300 ms. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('skeleton', className)} />
}

// Not `topModal`: its module would come into the first scripts.
const topmostContainer = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
/** React reads the container again after a commit, which may have removed the dialog that was topmost. */
const subscribeToNothing = () => () => {}

/**
 * Renders outside the sections, which contain and clip fixed elements by `content-visibility`, and inside the topmost modal dialog, which
 * covers everything else.
 */
export function OverDialogs({ className, children }: { className: string; children: ReactNode }) {
  const container = useExternalValue(subscribeToNothing, topmostContainer)
  return createPortal(<div className={className}>{children}</div>, container)
}

/** In place of a dialog whose scripts are loading, shown after 300 ms. */
export function DialogLoading() {
  const t = useT()
  return (
    <OverDialogs className="shown-late pointer-events-none fixed inset-0 z-50 grid place-items-center">
      <output className="rounded-card border border-line bg-surface px-6 py-4 shadow-float">{t('Loading...')}</output>
    </OverDialogs>
  )
}

interface LoadingProps {
  /** Defaults to "Loading...". */
  label?: string | undefined
  className?: string
}

/** Tells screen readers that the skeletons inside are loading. */
export function Loading({ label, className, children }: LoadingProps & { children: ReactNode }) {
  const t = useT()
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{label ?? t('Loading...')}</output>
      {children}
    </div>
  )
}

interface SkeletonsProps extends Pick<LoadingProps, 'label'> {
  count?: number
  /** The height of one. */
  className: string
  /** How several are laid out. */
  layout?: string
}

/** Placeholders of loading content: one block, or the cards of a list. */
export function Skeletons({ count = 1, className, layout = 'grid gap-3', label }: SkeletonsProps) {
  return (
    <Loading label={label} className={layout}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={className} />
      ))}
    </Loading>
  )
}
