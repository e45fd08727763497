import { type Webhook, type WebhookDelivery, WEBHOOK_EVENT_NAMES } from '@community/contract'
import type { ListedDelivery, WebhookRow } from './queries.ts'

const KNOWN_EVENTS = new Set<string>(WEBHOOK_EVENT_NAMES)

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  _id: row.id,
  teamId: row.teamId,
  url: row.url,
  // After a return to this version, a row may have events of the newer one, which the output schema rejects.
  events: row.events.filter((event) => KNOWN_EVENTS.has(event)),
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
