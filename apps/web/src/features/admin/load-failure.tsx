import { msg, useT } from '../../lib/i18n.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { type FailedQuery, QueryError } from '../../ui/query-error.tsx'

/** Shows in a toast that a query failed, also while its earlier data is shown. */
export function useLoadFailureToast(error: unknown): void {
  useFailureToast(error, { title: msg('Data Error'), fallback: msg('Failed to load admin data') })
}

/** The same toast, and an inline error if there is no earlier data. */
export function LoadFailure({ query }: { query: FailedQuery }) {
  const t = useT()
  useLoadFailureToast(query.error)
  return <QueryError query={query} title={t('Failed to load admin data')} />
}
