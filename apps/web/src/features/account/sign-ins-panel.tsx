import type { SignIn } from '@community/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import { useAction } from '../../lib/action.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { type Translate, useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { Skeletons } from '../../ui/states.tsx'

const PAGE_SIZE = 20
const SESSIONS = ['auth.sessions']
const MOBILE_SYSTEMS = /android|ios|iphone|ipad/i

const deviceName = ({ browser, system }: SignIn, t: Translate): string => {
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? t('Unknown device')
}

const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

/** The devices on which the user is signed in, each with a button to sign it out. */
export function SignInsPanel() {
  const t = useT()
  const query = useInfiniteQuery(
    trpc.auth.sessions.infiniteQueryOptions({ limit: PAGE_SIZE }, { ...BY_CURSOR, staleTime: 0 }),
  )
  const list = infiniteList(query, (page) => page.sessions)
  const panel = useRef<HTMLDivElement>(null)
  // The pressed button disappears with its device: move the focus to the list.
  const onEnded = () => panel.current?.focus()
  const endOthers = useAction(trpcClient.auth.endSessions, {
    input: (_target: void) => ({}),
    success: t('Signed out everywhere else'),
    failure: t('The other devices could not be signed out'),
    onSuccess: onEnded,
    invalidates: SESSIONS,
  })
  const { rows, total = 0 } = list
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-4 focus:outline-none">
      <p className="text-ink-2">
        {t('These devices are signed in to your account. Sign out any device you don’t recognise.')}
      </p>
      <InfiniteList
        list={list}
        className="grid gap-3"
        skeleton={<Skeletons count={2} className="h-20" />}
        failed={t('Your devices could not be loaded')}
        empty={null}
        progress={t('{total, plural, one {{shown} of # device shown} other {{shown} of # devices shown}}', {
          shown: formatNumber(rows.length),
          total,
        })}
      >
        {(session) => <SignInRow key={session.id} session={session} onEnded={onEnded} />}
      </InfiniteList>
      {total > 1 && (
        <Button variant="danger-outline" busy={endOthers.isPending} onClick={() => void endOthers.run()}>
          {t('Sign out everywhere else')}
        </Button>
      )}
    </div>
  )
}

function SignInRow({ session, onEnded }: { session: SignIn; onEnded: () => void }) {
  const t = useT()
  const Icon = MOBILE_SYSTEMS.test(session.system ?? '') ? Smartphone : Monitor
  const name = deviceName(session, t)
  const end = useAction(trpcClient.auth.endSession, {
    success: t('Device signed out'),
    failure: t('The device could not be signed out'),
    onSuccess: onEnded,
    invalidates: SESSIONS,
  })
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-card border border-line p-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <bdi>{name}</bdi>
          {session.isCurrent && <Badge tone="ok">{t('This device')}</Badge>}
          {session.hasPush && <Badge>{t('Push messages')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {session.country && <>{countryName(session.country, t.language)} · </>}
          <bdi dir="ltr">{session.address}</bdi>
        </p>
        <p className="text-sm text-muted">{t('Last seen {time}', { time: formatDateTime(session.lastSeenAt) })}</p>
      </div>
      {!session.isCurrent && (
        <Button
          size="sm"
          busy={end.isPending}
          onClick={() => void end.run({ id: session.id })}
          aria-label={t('Sign out {device}', { device: name })}
        >
          {t('{device, select, other {Sign Out}}')}
        </Button>
      )}
    </li>
  )
}
