import { notifyManager } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { BY_CURSOR } from '../lib/by-cursor.ts'
import { FIRST_QUERIES } from '../lib/first-queries.ts'
import { renderMoreSections } from '../lib/navigation/navigation.ts'
import type { SectionId } from '../lib/navigation/route.ts'
import { queryClient } from '../lib/query-client.ts'
import { createStore } from '../lib/store.ts'
import { trpc } from '../lib/trpc.ts'

const useMountedSections = createStore<readonly SectionId[]>([])

/** Beside a section, in the same boundary. */
export function MarkMounted({ section }: { section: SectionId }) {
  useEffect(() => useMountedSections.setState((mounted) => [...mounted, section], true), [section])
  return null
}

/**
 * Loads what every section shows first, so that sections render at their final height: one above that shrank to its empty state would
 * count as a layout shift.
 */
const prefetchSections = (): Promise<unknown> =>
  Promise.all([
    queryClient.prefetchInfiniteQuery(trpc.teams.list.infiniteQueryOptions(FIRST_QUERIES.teams.input, BY_CURSOR)),
    queryClient.prefetchInfiniteQuery(
      trpc.challenges.list.infiniteQueryOptions(FIRST_QUERIES.challenges.input, BY_CURSOR),
    ),
    queryClient.prefetchInfiniteQuery(
      trpc.submissions.approved.infiniteQueryOptions(FIRST_QUERIES.works.input, BY_CURSOR),
    ),
    queryClient.prefetchInfiniteQuery(
      trpc.teams.leaderboard.infiniteQueryOptions(FIRST_QUERIES.leaderboard.input, BY_CURSOR),
    ),
  ])

/**
 * Prefetches, then renders the next sections, once the given ones are mounted and no query runs. A component of its own, so that its state
 * does not render the sections again.
 */
export function RenderMore({ sections }: { sections: readonly SectionId[] }) {
  const mounted = useMountedSections()
  const [isPrefetched, setPrefetched] = useState(false)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const isWaiting = sections.every((section) => mounted.includes(section))
  useEffect(() => {
    if (!isWaiting) return undefined
    // Not `useIsFetching`, which misses a query that ends before React renders again. Batched, so that the data is rendered first.
    return queryClient.getQueryCache().subscribe(notifyManager.batchCalls(renderAgain))
  }, [isWaiting])
  // After every render, because `isFetching` is not React state, and a section may just have started its first query.
  useEffect(() => {
    if (!isWaiting || queryClient.isFetching() > 0) return
    if (isPrefetched) renderMoreSections()
    else void prefetchSections().then(() => setPrefetched(true))
  })
  return null
}
