import type { NotificationPreference } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { useMediaQuery } from '../../ui/media-query.ts'
import { QueryError } from '../../ui/query-error.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { MailTimesForm } from './mail-times-form.tsx'
import { groupByKind } from './notification-kinds.ts'
import { PushSection } from './push-section.tsx'
import { PreferenceList, type PreferenceProps, PreferenceTable } from './preference-rows.tsx'

/** Where the user gets each kind of notification, and when mails are sent. */
export function NotificationsPanel() {
  const t = useT()
  const query = useQuery(trpc.notifications.preferences.queryOptions(undefined, { staleTime: 0 }))
  const push = useQuery(trpc.notifications.push.queryOptions(undefined, { staleTime: 0 }))
  const publicKey = push.data?.publicKey ?? null
  const change = useChangePreference()
  const Rows = useMediaQuery('(min-width: 40rem)') ? PreferenceTable : PreferenceList
  if (query.isPending || push.isPending)
    return (
      <Loading className="grid gap-3">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </Loading>
    )
  if (!query.data) return <QueryError query={query} title={t('Failed to load your preferences')} />
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid grid-cols-1 gap-6">
        <p className="text-ink-2">
          {t('Choose where you get each kind of notification. Changes apply to notifications from now on.')}
        </p>
        {groupByKind(query.data.preferences).map(({ title, preferences }) => (
          <Rows
            key={title}
            title={t(title)}
            preferences={preferences.map(change.latest)}
            hasPush={publicKey !== null}
            onChange={change.run}
          />
        ))}
      </div>
      {push.data && publicKey !== null && <PushSection state={push.data} publicKey={publicKey} />}
      <MailTimesForm settings={query.data.settings} hasPush={publicKey !== null} />
    </div>
  )
}

/** Saves each change at once, and shows it until the server has answered. */
function useChangePreference() {
  const t = useT()
  const [changes, setChanges] = useState<Partial<Record<string, NotificationPreference>>>({})
  const save = useAction(trpcClient.notifications.setPreferences, {
    input: ({ kind, app, mail, push }: NotificationPreference) => ({ preferences: [{ kind, app, mail, push }] }),
    success: t('Preferences saved'),
    failure: t('Failed to save your preferences'),
    invalidates: ['notifications'],
    scope: 'notification-preferences',
  })
  const run: PreferenceProps['onChange'] = async (next) => {
    setChanges((before) => ({ ...before, [next.kind]: next }))
    await save.run(next)
    // Unless it has changed again meanwhile.
    setChanges(({ [next.kind]: current, ...others }) =>
      current === next || current === undefined ? others : { ...others, [next.kind]: current },
    )
  }
  return { latest: (stored: NotificationPreference) => changes[stored.kind] ?? stored, run }
}
