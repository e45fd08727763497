import type { AdminStats } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, Hourglass, type LucideIcon, MailX, TriangleAlert } from 'lucide-react'
import { useT } from '../../../lib/i18n.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeletons } from '../../../ui/states.tsx'
import { LoadFailure } from '../load-failure.tsx'
import type { OverviewLinks } from './overview-tab.tsx'

interface UrgentItem {
  icon: LucideIcon
  text: string
  button: string
  onOpen: () => void
}

/** What needs an administrator, each with a button that leads to it. */
export function UrgentItems({ stats, ...links }: OverviewLinks & { stats: AdminStats }) {
  const t = useT()
  const mails = useQuery(trpc.admin.mails.queryOptions({ limit: 1 }))
  const unsent = mails.data?.pagination.total ?? 0
  const { pendingSubmissions: pending, warningCount: warnings, bannedUsers: banned } = stats
  const items: (UrgentItem | false)[] = [
    pending > 0 && {
      icon: Hourglass,
      text: t('{count, plural, one {# submission to review} other {# submissions to review}}', {
        count: pending,
      }),
      button: t('Review submissions'),
      onOpen: links.onPending,
    },
    warnings > 0 && {
      icon: TriangleAlert,
      text: t('{count, plural, one {# active warning} other {# active warnings}}', { count: warnings }),
      button: t('See warned users'),
      onOpen: links.onWarned,
    },
    banned > 0 && {
      icon: Ban,
      text: t('{count, plural, one {# user is banned} other {# users are banned}}', { count: banned }),
      button: t('See banned users'),
      onOpen: links.onBanned,
    },
    unsent > 0 && {
      icon: MailX,
      text: t('{count, plural, one {# email could not be sent} other {# emails could not be sent}}', { count: unsent }),
      button: t('See emails'),
      onOpen: links.onMails,
    },
  ]
  const shown = items.filter((item) => item !== false)
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('Urgent items')}</h2>
      <LoadFailure query={mails} />
      {shown.length === 0 && (mails.data || mails.isPending) && <NothingUrgent isLoaded={mails.data !== undefined} />}
      {shown.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {shown.map(({ icon: Icon, text, button, onOpen }) => (
            <li key={button} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
              <Icon aria-hidden="true" className="size-5 shrink-0 text-gold" />
              <span className="min-w-40 grow basis-0">{text}</span>
              <Button size="sm" onClick={onOpen}>
                {button}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Loading until it is known whether there are unsent mails. */
function NothingUrgent({ isLoaded }: { isLoaded: boolean }) {
  const t = useT()
  if (!isLoaded) {
    return <Skeletons className="h-12.5" />
  }
  return (
    <p className="flex items-center gap-2 rounded-card border border-line bg-surface px-4 py-3 text-ok">
      <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
      {t('Nothing needs your attention.')}
    </p>
  )
}
