import type { DomainUseCases } from '../trpc/init.ts'
import { removeWebhook, rotateSecret, updateWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { listDeliveries, listWebhooks } from './list-webhooks.ts'
import { ping, redeliver } from './redeliver.ts'

export const webhooksUseCases: DomainUseCases<'webhooks'> = {
  list: listWebhooks,
  create: createWebhook,
  update: updateWebhook,
  remove: removeWebhook,
  rotateSecret,
  ping,
  deliveries: listDeliveries,
  redeliver,
}
