import type { QueryClient } from '@tanstack/react-query'
import { hasPath } from './invalidate.ts'

/** Fetches the queries on screen whose last request has failed: the backend responds again. */
export const refetchFailed = (client: QueryClient): Promise<void> =>
  client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })

/** Fetches the stale queries on screen, by path prefix, as TanStack Query does when the window gets the focus. */
export const refetchStale = (client: QueryClient, paths: readonly string[]): Promise<void> =>
  client.refetchQueries({ type: 'active', stale: true, predicate: hasPath(paths) })
