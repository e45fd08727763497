import { clsx } from 'clsx'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { Column } from '../ui/section.tsx'
import { Loading, Skeleton } from '../ui/states.tsx'
import { useNear } from '../ui/use-near.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Hero } from './hero.tsx'
import { useIdle } from './idle.ts'
import { sectionLabels } from './section-links.tsx'
import { useNeedsAllSections } from '../lib/navigation/navigation.ts'
import type { SectionId } from '../lib/navigation/place.ts'

type LazySectionId = Exclude<SectionId, 'home'>

const PARTS: Record<LazySectionId, ComponentType> = {
  teams: lazyWithRetry(() => import('../features/teams/index.tsx').then((part) => part.TeamsSection)),
  challenges: lazyWithRetry(() => import('../features/challenges/index.tsx').then((part) => part.ChallengesSection)),
  works: lazyWithRetry(() => import('../features/works/index.tsx').then((part) => part.WorksSection)),
  leaderboard: lazyWithRetry(() => import('../features/leaderboard/index.tsx').then((part) => part.LeaderboardSection)),
  contact: lazyWithRetry(() => import('../features/contact/index.tsx').then((part) => part.ContactSection)),
}
const LAZY_SECTIONS: readonly LazySectionId[] = ['teams', 'challenges', 'works', 'leaderboard', 'contact']

/** The hero, and every other section once it is near or the browser is idle. */
export function PublicPage() {
  const t = useT()
  const labels = sectionLabels(t)
  const isIdle = useIdle()
  const needsAll = useNeedsAllSections()
  return (
    <>
      <section id="home" tabIndex={-1} aria-label={labels.home}>
        <Hero />
      </section>
      {LAZY_SECTIONS.map((section) => {
        const Part = PARTS[section]
        return (
          <LazySection key={section} id={section} label={labels[section]} isWanted={isIdle || needsAll}>
            <Part />
          </LazySection>
        )
      })}
    </>
  )
}

interface LazySectionProps {
  id: SectionId
  label: string
  isWanted: boolean
  children: ReactNode
}

function LazySection({ id, label, isWanted, children }: LazySectionProps) {
  const [element, near] = useNear<HTMLElement>()
  const isDrawn = isWanted || near
  return (
    <section
      ref={element}
      id={id}
      tabIndex={-1}
      aria-label={label}
      className={clsx('border-t border-line', !isDrawn && 'min-h-128')}
    >
      {isDrawn ? (
        <ErrorBoundary>
          <Suspense fallback={<SectionSkeleton />}>{children}</Suspense>
        </ErrorBoundary>
      ) : null}
    </section>
  )
}

function SectionSkeleton() {
  return (
    <Column className="min-h-128 py-12">
      <Loading className="grid gap-4">
        <Skeleton className="h-10 w-48" />
        <Skeleton className="h-64" />
      </Loading>
    </Column>
  )
}
