import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { trpc } from '../../lib/trpc.ts'

/** The place of a submission among the pending ones. */
export interface PendingQueue {
  /** From 1; null if the submission is not pending or not loaded. */
  position: number | null
  count: number
  /** Others than the submission are pending. */
  hasOthers: boolean
  /** The first follows the last. Undefined while it is loaded. */
  next: Submission | undefined
  previous: Submission | undefined
  loadMore: () => void
}

/** Since when it waits, in the order of the queue. */
const waitingSince = ({ createdAt, resubmittedAt }: Submission): string => resubmittedAt ?? createdAt

/** The pending submissions that the administrator can evaluate, the longest waiting first; with a search only those that it finds. */
export function usePendingQueue(current: Submission, search: string | undefined): PendingQueue {
  const all = trpc.submissions.pending.infiniteQueryOptions(
    { limit: PAGE_SIZE.max },
    { ...BY_CURSOR, enabled: search === undefined },
  )
  const found = trpc.submissions.list.infiniteQueryOptions(
    { limit: PAGE_SIZE.max, status: 'pending', sort: 'oldest', ...(search !== undefined && { search }) },
    { ...BY_CURSOR, enabled: search !== undefined },
  )
  const queries = { all: useInfiniteQuery(all), found: useInfiniteQuery(found) }
  const list = infiniteList(search === undefined ? queries.all : queries.found, (page) => page.submissions)
  // An administrator's own teams are for the others to evaluate.
  const queue = list.rows.filter(({ canEvaluate }) => canEvaluate !== false)
  const position = queue.findIndex(({ id }) => id === current.id)
  const isQueued = position >= 0
  // Evaluated meanwhile or not loaded: the next is what was submitted after it, or else the longest waiting.
  const place = isQueued
    ? position
    : Math.max(
        queue.findIndex((pending) => waitingSince(pending) > waitingSince(current)),
        0,
      )
  const isLastLoaded = list.hasMore && position === queue.length - 1
  const loadMore = () => {
    if (!list.isLoadingMore) list.loadMore()
  }
  const onLastLoaded = useEffectEvent(loadMore)
  useEffect(() => {
    if (isLastLoaded) onLastLoaded()
  }, [isLastLoaded])
  return {
    position: isQueued ? position + 1 : null,
    count: (list.total ?? list.rows.length) - (list.rows.length - queue.length),
    hasOthers: queue.length > (isQueued ? 1 : 0),
    next: isLastLoaded ? undefined : queue[isQueued ? (place + 1) % queue.length : place],
    // The last submission is unknown until all are loaded.
    previous: place === 0 && list.hasMore ? undefined : queue.at(place - 1),
    loadMore,
  }
}
