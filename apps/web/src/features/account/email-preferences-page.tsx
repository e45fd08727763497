import { openDialog } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { linkTokenOf } from '../../lib/navigation/route.ts'
import { usePrivateQuery } from '../../lib/private-query.ts'
import { withInput } from '../../lib/procedure.ts'
import { useUser } from '../../lib/session.ts'
import { useBrowserValue } from '../../lib/store.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { MailTimesForm } from './mail-times-form.tsx'
import { PreferenceGroups } from './preference-groups.tsx'
import type { SavePreferences } from './save-preferences.ts'

const HASH_EVENTS = ['hashchange']

/** The preferences of the account that a link in a mail belongs to, without sign-in. */
export function EmailPreferencesPage() {
  const t = useT()
  const token = useBrowserValue(window, HASH_EVENTS, () => linkTokenOf(window.location.hash) ?? '')
  return (
    <SectionBody level={1} title={t('Notification settings')}>
      <div key={token} className="max-w-3xl">
        {token === '' ? <InvalidLink /> : <LinkedPreferences token={token} />}
      </div>
    </SectionBody>
  )
}

function LinkedPreferences({ token }: { token: string }) {
  const t = useT()
  const query = usePrivateQuery('notifications.linkedPreferences', trpcClient.notifications.linkedPreferences, {
    token,
  })
  if (query.isPending) return <Skeletons count={2} className="h-40" />
  if (!query.data)
    return failureOf(query.error).code === 'PREFERENCES_LINK_INVALID' ? (
      <InvalidLink />
    ) : (
      <QueryError query={query} title={t('Failed to load your preferences')} />
    )
  const { email, preferences, settings } = query.data
  const savePreferences: SavePreferences = withInput(trpcClient.notifications.setLinkedPreferences, (changes) => ({
    token,
    ...changes,
  }))
  return (
    <div className="grid grid-cols-1 gap-8">
      <p className="text-ink-2">{t('For {email}. Changes apply to notifications from now on.', { email })}</p>
      <div className="grid grid-cols-1 gap-6">
        <PreferenceGroups preferences={preferences} hasPush={false} procedure={savePreferences} />
      </div>
      <MailTimesForm settings={settings} hasPush={false} procedure={savePreferences} />
    </div>
  )
}

function InvalidLink() {
  const t = useT()
  const user = useUser()
  return (
    <EmptyState
      title={t('This link doesn’t work')}
      className="min-h-96 content-center"
      action={
        user ? (
          <Button variant="primary" onClick={() => openDialog({ name: 'account', tab: 'notifications' })}>
            {t('Notification settings')}
          </Button>
        ) : (
          <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
            {t('Sign In')}
          </Button>
        )
      }
    >
      {user
        ? t('It may be incomplete, or older than 30 days.')
        : t('It may be incomplete, or older than 30 days. Sign in to choose which notifications you get.')}
    </EmptyState>
  )
}
