import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** When one of these queries was last answered, in milliseconds; null before the first answer. */
export function useLastUpdated(matches: (query: Query) => boolean): number | null {
  const cache = useQueryClient().getQueryCache()
  // A query is made while what asks for it is drawn: what listens here is told afterwards.
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache])
  const latest = () =>
    cache.findAll({ predicate: matches }).reduce((time, query) => Math.max(time, query.state.dataUpdatedAt), 0)
  const time = useSyncExternalStore(subscribe, latest)
  return time === 0 ? null : time
}
