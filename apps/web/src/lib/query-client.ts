import { QueryClient } from '@tanstack/react-query'
import { mutationCache } from './mutation-cache.ts'
import { retryDelay, shouldRetry } from './retry-policy.ts'

const STALE_MS = 30_000

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_MS, retry: shouldRetry, retryDelay },
    // Fails at once while offline: a paused write would run later, unexpectedly.
    mutations: { networkMode: 'always' },
  },
  mutationCache,
})
