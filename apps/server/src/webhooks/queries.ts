import { type contract, type ParsedInput, WEBHOOK_EVENT_NAMES } from '@community/contract'
import { prepared, type Reader, type Tx } from '@community/db'
import { jobs, teams, users, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, count, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import { listOrder } from '../pagination/list-order.ts'
import { type PageInput, preparePages, queryPage, withTotal } from '../pagination/keyset.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
/** A delivery with the time of its next attempt. */
export type ListedDelivery = Omit<DeliveryRow, 'key' | 'webhookId' | 'userId'> & { nextAttemptAt: Date | null }

/** The input of `GET /webhooks`. */
type WebhookFilter = ParsedInput<typeof contract.webhooks.list>

/** The caller, for the condition that they may manage a webhook. */
export interface Manager {
  id: string
  role: 'member' | 'admin'
}

/** Administrators manage the community’s webhooks, chefs those of their teams. */
const managedByCondition = ({ id, role }: Manager) =>
  or(and(isNull(webhooks.teamId), sql`${role === 'admin'}`), eq(teams.ownerId, id))

const oldestFirst = listOrder('webhooks.list', [
  { expression: webhooks.createdAt, type: 'timestamptz' },
  { expression: webhooks.id, type: 'uuid' },
])
export const findManagedWebhooks = (db: Reader, manager: Manager, { teamId, ...paging }: WebhookFilter) =>
  queryPage(db, oldestFirst, { ...paging, page: 1 }, (reader, { after, limit }) =>
    reader
      .select({ ...getTableColumns(webhooks), key: oldestFirst.key })
      .from(webhooks)
      .leftJoin(teams, eq(teams.id, webhooks.teamId))
      .where(and(managedByCondition(manager), teamId === undefined ? undefined : eq(webhooks.teamId, teamId), after))
      .orderBy(...oldestFirst.orderBy)
      .limit(limit),
  )

export const selectManagedWebhook = (db: Reader, manager: Manager, id: string) =>
  db
    .select(getTableColumns(webhooks))
    .from(webhooks)
    .leftJoin(teams, eq(teams.id, webhooks.teamId))
    .where(and(managedByCondition(manager), eq(webhooks.id, id)))

export async function findManagedWebhook(db: Reader, manager: Manager, id: string): Promise<WebhookRow | undefined> {
  const [row] = await selectManagedWebhook(db, manager, id)
  return row
}

export async function countWebhooks(tx: Tx, teamId: string | null): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(webhooks)
    .where(teamId === null ? isNull(webhooks.teamId) : eq(webhooks.teamId, teamId))
  return row?.total ?? 0
}

const newestFirst = listOrder('webhooks.deliveries', [
  { expression: webhookDeliveries.createdAt, type: 'timestamptz', direction: 'desc nulls last' },
  { expression: webhookDeliveries.id, type: 'uuid' },
])
/** After a return to this version there may be deliveries of events that it does not know, which the output schema rejects. */
const listedCondition = and(
  eq(webhookDeliveries.webhookId, sql.placeholder('webhookId')),
  inArray(webhookDeliveries.event, [...WEBHOOK_EVENT_NAMES, 'ping']),
)
const deliveryPages = preparePages('webhooks.deliveries', newestFirst, (db, { after, limit, offset }) =>
  db
    .select({ ...getTableColumns(webhookDeliveries), nextAttemptAt: jobs.availableAt, key: newestFirst.key })
    .from(webhookDeliveries)
    .leftJoin(jobs, and(eq(jobs.id, webhookDeliveries.id), eq(jobs.status, 'pending')))
    .where(and(listedCondition, after))
    .orderBy(...newestFirst.orderBy)
    .limit(limit)
    .offset(offset),
)
const deliveryTotal = prepared('webhooks.delivery-count', (db) =>
  db.select({ total: count() }).from(webhookDeliveries).where(listedCondition),
)

/** A page of a webhook’s deliveries, newest first, and their total. */
export const findDeliveries = (db: Reader, webhookId: string, paging: PageInput) =>
  withTotal(deliveryPages(db, paging, { webhookId }), deliveryTotal(db, { webhookId }))

const deliveryToSend = prepared('webhooks.delivery', (db) =>
  db
    .select({ delivery: getTableColumns(webhookDeliveries), webhook: getTableColumns(webhooks) })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(eq(webhookDeliveries.id, sql.placeholder('id'))),
)

/** A delivery with its webhook; undefined when it was deleted. */
export async function findDelivery(db: Reader, id: string) {
  const [row] = await deliveryToSend(db, { id })
  return row
}

/** The address and language of the account to notify when a webhook is paused for its failures: its team’s chef, else its creator. */
export async function findFailureRecipient(tx: Tx, { teamId, createdBy }: WebhookRow) {
  const recipientCondition = teamId
    ? sql`${users.id} = (select ${teams.ownerId} from ${teams} where ${teams.id} = ${teamId})`
    : sql`${users.id} = ${createdBy}`
  const [person] = await tx
    .select({ email: users.email, language: users.language })
    .from(users)
    .where(recipientCondition)
  return person
}
