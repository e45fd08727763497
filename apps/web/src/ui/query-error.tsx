import type { ReactNode } from 'react'
import { failureOf } from '../lib/failure.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { ErrorState } from './states.tsx'

/** The used part of a query. */
export interface FailedQuery {
  data: unknown
  error: unknown
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface QueryErrorProps {
  query: FailedQuery
  title: ReactNode
  className?: string
}

/** The error of a query without earlier data, and Try Again. Nothing otherwise. */
export function QueryError({ query, title, className }: QueryErrorProps) {
  if (!query.error || query.data) return null
  return (
    <ErrorState
      title={title}
      message={failureOf(query.error)}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
      className={className}
    />
  )
}

/** Try Again for queries whose error is shown in a notice. */
export function TryAgain({ queries }: { queries: readonly Pick<FailedQuery, 'isFetching' | 'refetch'>[] }) {
  const t = useT()
  return (
    <Button
      size="sm"
      busy={queries.some(({ isFetching }) => isFetching)}
      onClick={() => {
        for (const { refetch } of queries) void refetch()
      }}
    >
      {t('Try Again')}
    </Button>
  )
}
