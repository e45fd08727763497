import { appErrors, type contract, type Output, type ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findDeliveries, findManagedWebhook, findManagedWebhooks } from './queries.ts'
import { toDelivery, toWebhook } from './views.ts'

type Routes = typeof contract.webhooks

export async function listWebhooks(
  { db, user }: AuthenticatedContext,
  input: ParsedInput<Routes['list']>,
): Promise<Output<Routes['list']>> {
  const { rows, nextCursor } = await findManagedWebhooks(db, user, input)
  return { webhooks: rows.map(toWebhook), pagination: { limit: input.limit, nextCursor } }
}

export async function listDeliveries(
  { db, user }: AuthenticatedContext,
  { id, ...paging }: ParsedInput<Routes['deliveries']>,
): Promise<Output<Routes['deliveries']>> {
  if (!(await findManagedWebhook(db, user, id))) throw new AppError(appErrors.webhookMissing)
  const page = await findDeliveries(db, id, paging)
  return { deliveries: page.rows.map(toDelivery), pagination: toPagination(paging, page) }
}
