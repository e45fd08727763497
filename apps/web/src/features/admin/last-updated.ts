import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useExternalValue } from '../../lib/store.ts'

/** When the newest data of these queries arrived, in milliseconds; null before the first response. */
export function useLastUpdated(matches: (query: Query) => boolean): number | null {
  const cache = useQueryClient().getQueryCache()
  // A query may be created during a render; updating the state has to wait until after it.
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache])
  const latest = () =>
    cache.findAll({ predicate: matches }).reduce((time, query) => Math.max(time, query.state.dataUpdatedAt), 0)
  const time = useExternalValue(subscribe, latest)
  return time === 0 ? null : time
}
