import { QueryClient } from '@tanstack/react-query'
import { hasPath } from './invalidate.ts'
import { livePaths } from './live/live-paths.ts'
import { retryDelay, shouldRetry } from './retry-policy.ts'

const STALE_MS = 30_000

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // Offline, a paused query would look as if it still loaded, and a paused write would run later, unexpectedly.
    queries: {
      networkMode: 'always',
      // TanStack Query turns it off for this network mode.
      refetchOnReconnect: true,
      // `lib/live` refetches the queries that it follows when the page is visible again.
      refetchOnWindowFocus: (query) => !hasPath(livePaths.getState())(query),
      staleTime: STALE_MS,
      retry: shouldRetry,
      retryDelay,
    },
    mutations: { networkMode: 'always' },
  },
})
