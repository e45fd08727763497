import type { Webhook, WebhookDelivery } from '@community/contract'
import type { ListedDelivery, WebhookRow } from './queries.ts'

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  _id: row.id,
  teamId: row.teamId,
  url: row.url,
  events: row.events,
  isActive: row.isActive,
  failingSince: row.failingSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const toDelivery = (row: ListedDelivery): WebhookDelivery => ({
  id: row.id,
  _id: row.id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.responseStatus,
  error: row.error,
  body: row.body,
  createdAt: row.createdAt.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString() ?? null,
  nextAttemptAt: (row.status === 'pending' && row.nextAttemptAt?.toISOString()) || null,
})
