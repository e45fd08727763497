import type { Webhook, WebhookDelivery } from '@community/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { serverText, useT } from '../../lib/i18n.ts'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { useServerAhead } from '../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { passwordIfAdmin, passwordInput } from '../confirm-as-chef.ts'
import { STATUS_TONES, statusLabel } from './labels.ts'

const PAGE_SIZE = 20
const REFETCH_MS = 2000
/** Due by the next refetch, which then shows how it went. */
const isDueSoon = ({ nextAttemptAt }: WebhookDelivery, serverNow: number) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) <= serverNow + REFETCH_MS

/** What was sent to a webhook, newest first. Refreshes while a message is being sent. */
export function Deliveries({ webhook, onBack }: { webhook: Webhook; onBack: () => void }) {
  const t = useT()
  const serverAhead = useServerAhead()
  const query = useInfiniteQuery(
    trpc.webhooks.deliveries.infiniteQueryOptions(
      { id: webhook.id, limit: PAGE_SIZE },
      {
        ...BY_CURSOR,
        staleTime: 0,
        refetchInterval: ({ state }) => {
          const rows = state.data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
          return rows.some((delivery) => isDueSoon(delivery, Date.now() + serverAhead)) && REFETCH_MS
        },
      },
    ),
  )
  const list = infiniteList(query, (page) => page.deliveries)
  const { rows, total = 0 } = list
  return (
    <>
      <BackButton size="sm" className="justify-self-start" onClick={onBack}>
        {t('All webhooks')}
      </BackButton>
      <div>
        <h3 className="text-lg">{t('Deliveries of the last 30 days')}</h3>
        <p className="text-ink-2 wrap-anywhere">
          <bdi dir="ltr">{webhook.url}</bdi>
        </p>
      </div>
      <InfiniteList
        list={list}
        label={t('Deliveries')}
        className="grid grid-cols-1 gap-3"
        skeleton={<Skeletons count={2} className="h-24" />}
        failed={t('Failed to load deliveries')}
        empty={<p className="text-muted">{t('No deliveries yet.')}</p>}
        progress={t('{total, plural, one {{shown} of # delivery shown} other {{shown} of # deliveries shown}}', {
          shown: formatNumber(rows.length),
          total,
        })}
      >
        {(delivery) => <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />}
      </InfiniteList>
    </>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const t = useT()
  const { event, status, attempts, responseStatus, error, createdAt, nextAttemptAt, body } = delivery
  const redeliver = useAction(trpcClient.webhooks.redeliver, {
    input: ({ id }: WebhookDelivery, answers) => ({ id: webhookId, deliveryId: id, ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('Send again'), confirmLabel: t('Send') }),
    success: t('Sending the message again'),
    failure: t('Failed to send the message'),
    invalidates: ['webhooks.deliveries'],
  })
  const outcome =
    responseStatus !== null
      ? t('Response code {code}', { code: String(responseStatus) })
      : error !== null && t('Not delivered: {reason}', { reason: serverText({ message: error }) })
  const facts = [
    t('{attempts, plural, =0 {Not sent yet} one {# attempt} other {# attempts}}', { attempts }),
    outcome,
    nextAttemptAt !== null && attempts > 0 && t('Next attempt {time}', { time: formatDateTime(nextAttemptAt) }),
  ]
  return (
    <li tabIndex={-1} className="flex flex-wrap items-start gap-3 rounded-card border border-line bg-surface p-3">
      <div className="grid min-w-0 grow basis-52 grid-cols-1 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <bdi dir="ltr" className="font-mono font-semibold wrap-anywhere">
            {event}
          </bdi>
          <Badge tone={STATUS_TONES[status]}>{statusLabel(status, t)}</Badge>
        </p>
        <p className="text-sm text-muted">{formatDateTime(createdAt)}</p>
        <p className="text-sm text-ink-2">{facts.filter(Boolean).join(' · ')}</p>
        <details className="text-sm">
          <summary className="min-h-6 cursor-pointer text-primary">{t('Payload')}</summary>
          <p dir="ltr" className="mt-1 rounded-control bg-sunken p-2 font-mono wrap-anywhere">
            {body}
          </p>
        </details>
      </div>
      <Button size="sm" busy={redeliver.isPending} onClick={() => void redeliver.run(delivery)}>
        {t('Send again')}
        <span className="sr-only"> {event}</span>
      </Button>
    </li>
  )
}
