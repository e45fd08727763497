import { Component, type ReactNode, Suspense, useLayoutEffect } from 'react'
import { msg, useT } from '../lib/i18n.ts'
import { retryFailedImports, useRetryCount } from '../lib/lazy-with-retry.tsx'
import { Column } from './column.tsx'
import { ErrorState, OverDialogs } from './states.tsx'

interface BoundaryProps {
  /** A new value renders the children again. */
  retryCount: number
  fallback: ReactNode
  children: ReactNode
}

interface BoundaryState {
  retryCount: number
  hasError: boolean
}

/** React has no hook for error boundaries. react-error-boundary would exceed the budget of the initial chunk. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state = { retryCount: this.props.retryCount, hasError: false }
  static getDerivedStateFromError = () => ({ hasError: true })
  static getDerivedStateFromProps = ({ retryCount }: BoundaryProps, previous: BoundaryState) =>
    retryCount === previous.retryCount ? null : { retryCount, hasError: false }
  override render(): ReactNode {
    return this.state.hasError ? this.props.fallback : this.props.children
  }
}

const ONLINE = ['online'] as const
const ONLINE_OR_CLICK = ['online', 'click'] as const

/** Retries failed imports at these events of the window. */
function useRetryOn(events: readonly ('online' | 'click')[]): void {
  useLayoutEffect(() => {
    // Created here: a function that several boundaries share is registered once, and the first to unmount would remove it for all.
    const retry = ({ type }: Event) => retryFailedImports(type === 'online' ? 'online' : 'click')
    for (const event of events) window.addEventListener(event, retry)
    return () => {
      for (const event of events) window.removeEventListener(event, retry)
    }
  }, [events])
}

interface ErrorBoundaryProps {
  /** For a dialog: shows the error at the bottom of the window, with a button that calls this. */
  onClose?: (() => void) | undefined
  /** Shown while the part loads. */
  loading?: ReactNode
  children: ReactNode
}

function Fallback({ onClose }: Pick<ErrorBoundaryProps, 'onClose'>) {
  const t = useT()
  useRetryOn(ONLINE)
  const error = (
    <Column className="py-12">
      <ErrorState
        title={t('This part of the page stopped working')}
        message={{ message: msg('The rest still works. Try again, or come back in a moment.') }}
        onRetry={() => retryFailedImports('try again')}
        onClose={onClose}
      />
    </Column>
  )
  return onClose ? <OverDialogs className="fixed inset-x-0 bottom-0 z-40">{error}</OverDialogs> : error
}

/** Shows an error with Try Again in place of a part that failed, and retries it when the browser is back online. */
export function ErrorBoundary({ onClose, loading, children }: ErrorBoundaryProps) {
  return (
    <Boundary retryCount={useRetryCount()} fallback={<Fallback onClose={onClose} />}>
      <Suspense fallback={loading}>{children}</Suspense>
    </Boundary>
  )
}

function RetryOnNextEvent() {
  useRetryOn(ONLINE_OR_CLICK)
  return null
}

/** Shows nothing in place of a failed part, and retries it when the browser is back online or at the next click. */
export function SilentErrorBoundary({ loading, children }: Omit<ErrorBoundaryProps, 'onClose'>) {
  return (
    <Boundary retryCount={useRetryCount()} fallback={<RetryOnNextEvent />}>
      <Suspense fallback={loading}>{children}</Suspense>
    </Boundary>
  )
}
