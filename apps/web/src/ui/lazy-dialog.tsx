import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { DialogLoading } from './states.tsx'

/** Around a dialog with scripts of its own: shows that they load, or at the bottom of the window that they failed. What opened it stays. */
export function LazyDialog({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary floating>
      <Suspense fallback={<DialogLoading />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
