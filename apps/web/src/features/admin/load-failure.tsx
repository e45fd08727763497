import { failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { ErrorState } from '../../ui/states.tsx'

/** Shows in a toast that a query failed, also while its earlier data is shown. */
export function useLoadFailureToast(error: unknown): void {
  useFailureToast(error, { title: msg('Data Error'), fallback: msg('Failed to load admin data') })
}

interface LoadFailureProps {
  query: {
    data: unknown
    error: unknown
    isError: boolean
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
}

/** The same toast, and an inline error if there is no earlier data. */
export function LoadFailure({ query }: LoadFailureProps) {
  const t = useT()
  useLoadFailureToast(query.error)
  if (!query.isError || query.data) return null
  return (
    <ErrorState
      title={t('Failed to load admin data')}
      message={failureOf(query.error)}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
    />
  )
}
