import { clsx } from 'clsx'
import { notifyManager } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, Suspense, useEffect, useReducer, useState } from 'react'
import { BY_CURSOR } from '../lib/by-cursor.ts'
import { useT } from '../lib/i18n.ts'
import { FIRST_QUERIES } from '../lib/first-queries.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { queryClient } from '../lib/query-client.ts'
import { createStore } from '../lib/store.ts'
import { trpc } from '../lib/trpc.ts'
import { Column } from '../ui/column.tsx'
import { Loading, Skeleton } from '../ui/states.tsx'
import { useNear } from '../ui/use-near.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Hero } from './hero.tsx'
import { useIdle } from './idle.ts'
import { sectionLabels } from './section-links.tsx'
import { renderMoreSections, useRenderedSections } from '../lib/navigation/navigation.ts'
import type { SectionId } from '../lib/navigation/route.ts'

type LazySectionId = Exclude<SectionId, 'home'>

const loadSections = () => import('./sections.ts')

const SECTION_COMPONENTS: Record<LazySectionId, ComponentType> = {
  teams: lazyWithRetry(() => loadSections().then((sections) => sections.TeamsSection)),
  challenges: lazyWithRetry(() => loadSections().then((sections) => sections.ChallengesSection)),
  works: lazyWithRetry(() => loadSections().then((sections) => sections.WorksSection)),
  leaderboard: lazyWithRetry(() => loadSections().then((sections) => sections.LeaderboardSection)),
  contact: lazyWithRetry(() => loadSections().then((sections) => sections.ContactSection)),
}
const LAZY_SECTIONS: readonly LazySectionId[] = ['teams', 'challenges', 'works', 'leaderboard', 'contact']

/** The hero, and every other section once it is near or the browser is idle; a section that the page opens at comes first. */
export function PublicPage() {
  const t = useT()
  const labels = sectionLabels(t)
  const isIdle = useIdle()
  const rendered = useRenderedSections()
  const timingOf = (section: LazySectionId): Timing => {
    if (rendered === 'all') return 'immediate'
    if (rendered === 'near') return isIdle ? 'immediate' : 'near viewport'
    const first = LAZY_SECTIONS.findIndex((id) => id === rendered.initial)
    const index = LAZY_SECTIONS.indexOf(section)
    return index === first || (index > first && rendered.isBelowRendered) ? 'immediate' : 'deferred'
  }
  return (
    <>
      <section id="home" tabIndex={-1} aria-label={labels.home}>
        <Hero />
      </section>
      {LAZY_SECTIONS.map((section) => {
        const Section = SECTION_COMPONENTS[section]
        return (
          <LazySection
            key={section}
            id={section}
            label={labels[section]}
            timing={timingOf(section)}
            isInitial={typeof rendered === 'object' && rendered.initial === section && !rendered.isRestored}
          >
            <Section />
            <MarkMounted section={section} />
          </LazySection>
        )
      })}
      <RenderMore sections={LAZY_SECTIONS.filter((section) => timingOf(section) === 'immediate')} />
    </>
  )
}

const useMountedSections = createStore<readonly SectionId[]>([])

function MarkMounted({ section }: { section: SectionId }) {
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
function RenderMore({ sections }: { sections: readonly SectionId[] }) {
  const rendered = useRenderedSections()
  const mounted = useMountedSections()
  const [isPrefetched, setPrefetched] = useState(false)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const isWaiting = typeof rendered === 'object' && sections.every((section) => mounted.includes(section))
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

type Timing = 'immediate' | 'near viewport' | 'deferred'

interface LazySectionProps {
  id: SectionId
  label: string
  timing: Timing
  /** The page opens at the start of this section. */
  isInitial: boolean
  children: ReactNode
}

/** Fills the viewport, including behind the header, so that a growing section above or below causes no layout shift. */
const INITIAL_CLASS = 'min-h-svh scroll-mt-[calc(-1*var(--header))] pt-(--header)'
/** Skips layout and paint until near the viewport. */
const DEFERRED_CLASS = '[content-visibility:auto] [contain-intrinsic-block-size:auto_32rem]'

function LazySection({ id, label, timing, isInitial, children }: LazySectionProps) {
  const [ref, isNear] = useNear<HTMLElement>()
  // Keep the class: changing the minimum height suppresses scroll anchoring for that frame.
  const [wasInitial] = useState(isInitial)
  const [wasDeferred] = useState(timing === 'deferred')
  const isRendered = timing === 'immediate' || (timing === 'near viewport' && isNear)
  return (
    <section
      ref={ref}
      id={id}
      tabIndex={-1}
      aria-label={label}
      className={clsx(
        'border-t border-line',
        wasInitial ? INITIAL_CLASS : !isRendered && 'min-h-128',
        wasDeferred && DEFERRED_CLASS,
      )}
    >
      {isRendered ? (
        <ErrorBoundary>
          <Suspense fallback={<SectionSkeleton />}>{children}</Suspense>
        </ErrorBoundary>
      ) : null}
    </section>
  )
}

/** Shown while the script of a section or view loads. */
export function SectionSkeleton() {
  return (
    <Column className="min-h-128 py-12">
      <Loading className="grid gap-4">
        <Skeleton className="h-10 w-48" />
        <Skeleton className="h-64" />
      </Loading>
    </Column>
  )
}
