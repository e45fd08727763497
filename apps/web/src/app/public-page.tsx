import { clsx } from 'clsx'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { Column } from '../ui/column.tsx'
import { Loading, Skeleton } from '../ui/states.tsx'
import { useNear } from '../ui/use-near.ts'
import { ErrorBoundary, SilentErrorBoundary } from '../ui/error-boundary.tsx'
import { Hero } from './hero.tsx'
import { useIdle } from './idle.ts'
import { sectionLabels } from './section-links.tsx'
import { useRenderedSections } from '../lib/navigation/navigation.ts'
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
const MarkMounted = lazyWithRetry(() => loadSections().then((sections) => sections.MarkMounted))
const RenderMore = lazyWithRetry(() => loadSections().then((sections) => sections.RenderMore))
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
      {typeof rendered === 'object' && (
        <SilentErrorBoundary>
          <RenderMore sections={LAZY_SECTIONS.filter((section) => timingOf(section) === 'immediate')} />
        </SilentErrorBoundary>
      )}
    </>
  )
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
      {isRendered ? <ErrorBoundary loading={<SectionSkeleton />}>{children}</ErrorBoundary> : null}
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
