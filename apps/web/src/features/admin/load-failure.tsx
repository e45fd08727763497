import { useEffect } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { t, useT } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { ErrorState } from '../../ui/states.tsx'

interface LoadFailureProps {
  error: unknown
  onRetry: () => void
  busy: boolean
}

// Not the hook's `t`: a change of language is no new failure.
const tell = (error: unknown) => toast.failure(error, t('Data Error'), t('Failed to load admin data'))

/** Says in a toast and in place that a list of the admin area could not be loaded. */
export function LoadFailure({ error, onRetry, busy }: LoadFailureProps) {
  const t = useT()
  useEffect(() => {
    tell(error)
  }, [error])
  return (
    <ErrorState
      title={t('Failed to load admin data')}
      message={failureOf(error).message}
      onRetry={onRetry}
      busy={busy}
    />
  )
}
