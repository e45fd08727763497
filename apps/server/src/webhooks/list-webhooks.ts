import { appErrors, type contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findDeliveries, findManagedWebhook, findManagedWebhooks } from './queries.ts'
import { toDelivery, toWebhook } from './views.ts'

export const listWebhooks: UseCase<typeof contract.webhooks.list> = async ({ db, user }, input) => {
  const { rows, nextCursor } = await findManagedWebhooks(db, user, input)
  return { webhooks: rows.map(toWebhook), pagination: { limit: input.limit, nextCursor } }
}

export const listDeliveries: UseCase<typeof contract.webhooks.deliveries> = async ({ db, user }, { id, ...paging }) => {
  if (!(await findManagedWebhook(db, user, id))) throw new AppError(appErrors.webhookMissing)
  const page = await findDeliveries(db, id, paging)
  return { deliveries: page.rows.map(toDelivery), pagination: toPagination(paging, page) }
}
