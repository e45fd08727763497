import { failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { useToldFailure } from '../../lib/told-failure.ts'
import { ErrorState } from '../../ui/states.tsx'

interface LoadFailureProps {
  error: unknown
  onRetry: () => void
  busy: boolean
}

/** Says in a toast and in place that a list of the admin area could not be loaded. */
export function LoadFailure({ error, onRetry, busy }: LoadFailureProps) {
  const t = useT()
  useToldFailure(error, msg('Failed to load admin data'), msg('Data Error'))
  return (
    <ErrorState
      title={t('Failed to load admin data')}
      message={failureOf(error).message}
      onRetry={onRetry}
      busy={busy}
    />
  )
}
