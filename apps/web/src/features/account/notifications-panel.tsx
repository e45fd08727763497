import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { MailTimesForm } from './mail-times-form.tsx'
import { PreferenceGroups } from './preference-groups.tsx'
import { PushSection } from './push-section.tsx'

/** Where the user gets each kind of notification, and when mails are sent. */
export function NotificationsPanel() {
  const t = useT()
  const query = useQuery(trpc.notifications.preferences.queryOptions(undefined, { staleTime: 0 }))
  const push = useQuery(trpc.notifications.push.queryOptions(undefined, { staleTime: 0 }))
  const publicKey = push.data?.publicKey ?? null
  if (query.isPending || push.isPending) return <Skeletons count={2} className="h-40" />
  if (!query.data) return <QueryError query={query} title={t('Failed to load your preferences')} />
  return (
    <div className="grid grid-cols-1 gap-8">
      {query.data.mailPausedAt && <PausedMails />}
      <div className="grid grid-cols-1 gap-6">
        <p className="text-ink-2">
          {t('Choose where you get each kind of notification. Changes apply to notifications from now on.')}
        </p>
        <PreferenceGroups
          preferences={query.data.preferences}
          hasPush={publicKey !== null}
          procedure={trpcClient.notifications.setPreferences}
        />
      </div>
      {push.data && publicKey !== null && <PushSection state={push.data} publicKey={publicKey} />}
      <MailTimesForm
        settings={query.data.settings}
        hasPush={publicKey !== null}
        procedure={trpcClient.notifications.setPreferences}
      />
    </div>
  )
}

/** Says that the user's address rejects mails, with a button to try again. */
function PausedMails() {
  const t = useT()
  const resume = useAction(trpcClient.notifications.resumeMail, {
    success: t('Emails are sent again'),
    failure: t('Failed to save your preferences'),
    invalidates: ['notifications.preferences'],
  })
  return (
    <Notice
      tone="gold"
      action={
        <Button size="sm" busy={resume.isPending} onClick={() => void resume.run()}>
          {t('Send emails again')}
        </Button>
      }
    >
      {t(
        'Emails to you are paused, because your address rejected three in a row. Codes and emails about the safety of your account are still sent.',
      )}
    </Notice>
  )
}
