import type { Webhook } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import type { View } from './view.ts'

interface WebhookListProps {
  teamId: string | null
  onView: (view: View) => void
}

export function WebhookList({ teamId, onView }: WebhookListProps) {
  const t = useT()
  const query = useQuery(trpc.webhooks.list.queryOptions(teamId === null ? {} : { teamId }, { staleTime: 0 }))
  if (query.isPending) return <Skeletons count={2} className="h-28" />
  if (!query.data) return <QueryError query={query} title={t('Failed to load webhooks')} />
  const webhooks = query.data.webhooks.filter((webhook) => webhook.teamId === teamId)
  if (webhooks.length === 0) return <p className="text-muted">{t('There are no webhooks yet.')}</p>
  return (
    <ul aria-label={t('Webhooks')} className="grid grid-cols-1 gap-3">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onView={onView} />
      ))}
    </ul>
  )
}

function WebhookRow({ webhook, onView }: { webhook: Webhook; onView: (view: View) => void }) {
  const t = useT()
  const { url, events, isActive, failingSince } = webhook
  const { ping, menu, isPending } = useWebhookActions(webhook, onView)
  return (
    <li tabIndex={-1} className="grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-3">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow font-semibold wrap-anywhere">
          <bdi dir="ltr">{url}</bdi>
        </p>
        <Menu
          items={menu}
          trigger={
            <IconButton label={t('Actions for {name}', { name: url })} aria-busy={isPending} className="-me-1 -mt-2">
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
        />
      </div>
      <p className="flex flex-wrap gap-1.5">
        {isActive ? (
          <Badge tone="ok">{t('{webhook, select, other {Active}}')}</Badge>
        ) : (
          <Badge tone="bad">{t('{webhook, select, other {Paused}}')}</Badge>
        )}
        {events.map((event) => (
          <Badge key={event} className="font-mono font-normal!">
            <bdi dir="ltr">{event}</bdi>
          </Badge>
        ))}
      </p>
      {failingSince !== null && (
        <p className="text-sm text-bad">{t('Failing since {time}', { time: formatDateTime(failingSince) })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onView({ name: 'deliveries', webhook })}>
          {t('Deliveries')}
          <span className="sr-only"> {url}</span>
        </Button>
        <Button size="sm" busy={ping.isPending} onClick={() => void ping.run(webhook)}>
          {t('Send ping')}
          <span className="sr-only"> {url}</span>
        </Button>
      </div>
    </li>
  )
}
