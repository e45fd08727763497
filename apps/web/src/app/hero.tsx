import { clsx } from 'clsx'
import { ArrowRight, Sparkles, Swords, Users } from 'lucide-react'
import { emit } from '../lib/events.ts'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { type CurrentUser, useUser } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { useMediaQuery } from '../ui/media-query.ts'
import { SilentErrorBoundary } from '../ui/error-boundary.tsx'
import { preloadSignIn } from './preload-sign-in.ts'
import { goToSection } from '../lib/navigation/navigation.ts'

const NextSteps = lazyWithRetry(() => import('./member.ts').then((part) => part.NextSteps))
const Mosaic = lazyWithRetry(() => import('./mosaic.tsx').then((module) => module.Mosaic))

/** The first screen: tagline, main button, features; for a signed-in user also what comes next. */
export function Hero() {
  const user = useUser()
  const isWide = useMediaQuery('(min-width: 64rem)')
  return (
    <div className="relative overflow-hidden">
      {isWide && (
        <div className="absolute inset-y-0 end-0 w-[46%]">
          <SilentErrorBoundary>
            <Mosaic />
          </SilentErrorBoundary>
        </div>
      )}
      <div className="relative mx-auto grid max-w-page grid-cols-1 gap-10 px-4 py-12 sm:px-6 sm:py-16 lg:grid-cols-2">
        <Pitch user={user} />
        {/* High enough for what loads, so that nothing below moves; what loads fills it. */}
        {user && (
          <div className="grid min-h-106 grid-cols-1 sm:min-h-96">
            <SilentErrorBoundary>
              <NextSteps user={user} />
            </SilentErrorBoundary>
          </div>
        )}
        <Features />
      </div>
    </div>
  )
}

function Pitch({ user }: { user: CurrentUser | null }) {
  const t = useT()
  return (
    <div className="grid max-w-xl justify-items-start gap-7">
      <h1 className="font-(family-name:--kufi) text-4xl leading-[1.06] sm:text-5xl rtl:leading-[1.35]">
        {t('Form a team. Take the challenge. Climb the leaderboard.')}
      </h1>
      <p className={clsx('max-w-lg text-lg text-ink-2', user && 'max-lg:hidden')}>
        {t(
          'A competitive community for developers, designers and creators across Morocco. Teams of 1 to 11, timed challenges, work judged by people.',
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => goToSection('teams')}>
          {t('Join a Team Now')}
          <ArrowRight aria-hidden="true" className="rtl:-scale-x-100" />
        </Button>
        {!user && (
          <Button {...preloadSignIn} onClick={() => emit('openAuthModal', { mode: 'register' })}>
            {t('Get Started Free')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Features() {
  const t = useT()
  const features = [
    { Icon: Swords, title: t('Competition'), text: t('Timed challenges with points to earn') },
    { Icon: Users, title: t('Teamwork'), text: t('Join a team or create your own in three steps') },
    { Icon: Sparkles, title: t('Skill Growth'), text: t('Written feedback on your submissions') },
  ]
  return (
    <ul className="grid gap-3 md:grid-cols-3 lg:col-span-full">
      {features.map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3 rounded-card border border-line bg-surface px-4 py-3.5">
          <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-primary" strokeWidth={1.75} />
          <div>
            <p className="font-semibold">{title}</p>
            <p className="text-sm text-ink-2">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
