import { Component, type ReactNode, useLayoutEffect } from 'react'
import { useT } from '../lib/i18n.ts'
import { retryFailedImports, useRetryCount } from '../lib/lazy-with-retry.tsx'
import { ErrorState } from '../ui/states.tsx'

interface BoundaryProps {
  /** A new one is a new try. */
  round: number
  fallback: ReactNode
  children: ReactNode
}

interface BoundaryState {
  round: number
  failed: boolean
}

/** An error boundary must be a class. Our own, because a package did not fit into the first script's budget. */
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

/** Keeps an error of one part from taking the page with it. `floating`: of one that lies over the page, as its stand-in then does at the foot. */
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

/** The same without a word, for what nobody has asked for: it is tried again by itself, back online or at the next click. */
export function SilentErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary round={useRetryCount()} fallback={<RetryOnNextEvent />}>
      {children}
    </Boundary>
  )
}
