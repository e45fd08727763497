import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { DialogLoading } from './states.tsx'

/** Around a dialog that is loaded when it opens. Shows that it loads, or an error at the bottom of the window: the page behind stays usable. */
export function LazyDialog({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary floating>
      <Suspense fallback={<DialogLoading />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
