import type { QueryClient } from '@tanstack/react-query'
import { failureOf, isServerError } from './failure.ts'
import { hasPath } from './invalidate.ts'

/** Whether the backend failed or was not reached. Another rejection would only be repeated. */
function isBackendFailure(error: Error | null): boolean {
  if (!error) return false
  const failure = failureOf(error)
  return failure.kind !== 'rejected' || isServerError(failure)
}

/** Fetches the queries on screen whose last request the backend has failed: it responds again. */
export const refetchFailed = (client: QueryClient): Promise<void> =>
  client.refetchQueries({ type: 'active', predicate: ({ state }) => isBackendFailure(state.error) })

/** Fetches the stale queries on screen, by path prefix, as TanStack Query does when the window gets the focus. */
export const refetchStale = (client: QueryClient, paths: readonly string[]): Promise<void> =>
  client.refetchQueries({ type: 'active', stale: true, predicate: hasPath(paths) })
