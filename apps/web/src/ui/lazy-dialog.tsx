import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { DialogLoading } from './states.tsx'

/**
 * Around a dialog that is loaded when it opens. Shows that it loads, or an error at the bottom of the window: the page behind stays usable.
 * Give it a key if it draws one of several: another dialog must not show that this one failed to load.
 */
export function LazyDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary onClose={onClose} loading={<DialogLoading />}>
      {children}
    </ErrorBoundary>
  )
}
