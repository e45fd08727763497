import { Component, type ReactNode, useLayoutEffect } from 'react'
import { useT } from '../lib/i18n.ts'
import { retryFailedImports, useRetryCount } from '../lib/lazy-with-retry.tsx'
import { ErrorState } from '../ui/states.tsx'

interface BoundaryProps {
  /** A new value renders the children again. */
  round: number
  fallback: ReactNode
  children: ReactNode
}

interface BoundaryState {
  round: number
  failed: boolean
}

/** React has no hook for error boundaries. A package would exceed the budget of the first script. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state = { round: this.props.round, failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  static getDerivedStateFromProps = ({ round }: BoundaryProps, before: BoundaryState) =>
    round === before.round ? null : { round, failed: false }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}

function Fallback() {
  const t = useT()
  return (
    <div className="mx-auto max-w-page px-4 py-12 sm:px-6">
      <ErrorState
        title={t('This part of the page stopped working')}
        message={t('The rest still works. Try again, or come back in a moment.')}
        onRetry={() => retryFailedImports()}
      />
    </div>
  )
}

/** Shows an error with Try Again in place of a part that failed. `floating` shows it at the bottom of the window, for dialogs. */
export function ErrorBoundary({ floating = false, children }: { floating?: boolean; children: ReactNode }) {
  return (
    <Boundary
      round={useRetryCount()}
      fallback={
        <div className={floating ? 'fixed inset-x-0 bottom-0 z-40' : undefined}>
          <Fallback />
        </div>
      }
    >
      {children}
    </Boundary>
  )
}

const NEXT_TRY = ['online', 'click']
const renewQuietly = () => retryFailedImports({ quietly: true })

function RetryOnNextEvent() {
  useLayoutEffect(() => {
    for (const event of NEXT_TRY) window.addEventListener(event, renewQuietly)
    return () => {
      for (const event of NEXT_TRY) window.removeEventListener(event, renewQuietly)
    }
  }, [])
  return null
}

/** Shows nothing in place of a failed part, and retries it when the browser is back online or at the next click. */
export function SilentErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary round={useRetryCount()} fallback={<RetryOnNextEvent />}>
      {children}
    </Boundary>
  )
}
