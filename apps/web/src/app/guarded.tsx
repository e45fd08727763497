import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useT } from '../lib/i18n.ts'
import { ErrorState } from '../ui/states.tsx'

const isMissingPart = (error: unknown): boolean => error instanceof Error && /import|module|chunk/i.test(error.message)

function Fallback({ error, resetErrorBoundary }: FallbackProps) {
  const t = useT()
  // A part that did not load is remembered as failed: only a new page asks for it again.
  const retry = () => (isMissingPart(error) ? window.location.reload() : resetErrorBoundary())
  return (
    <div className="mx-auto max-w-page px-4 py-12 sm:px-6">
      <ErrorState
        title={t('This part of the page stopped working')}
        message={t('The rest still works. Try again, or come back in a moment.')}
        onRetry={retry}
      />
    </div>
  )
}

/** In the place of a dialog or a menu that did not come: over the page, at its foot. */
function FloatingFallback(props: FallbackProps) {
  return (
    <div className="fixed inset-x-0 bottom-0 z-40">
      <Fallback {...props} />
    </div>
  )
}

/** Keeps an error of one part from taking the page with it. `floating`: of one that lies over the page. */
export function Guarded({ floating = false, children }: { floating?: boolean; children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={floating ? FloatingFallback : Fallback}>{children}</ErrorBoundary>
}

/** The same without a word: for what nobody has asked for. */
export function QuietlyGuarded({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={null}>{children}</ErrorBoundary>
}
