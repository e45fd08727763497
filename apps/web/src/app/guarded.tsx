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

/** Keeps an error of one part from taking the page with it. */
export function Guarded({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={Fallback}>{children}</ErrorBoundary>
}
