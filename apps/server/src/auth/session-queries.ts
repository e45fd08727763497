import { type Reader, prepared } from '@community/db'
import { pushSubscriptions, refreshFamilies } from '@community/db/schema'
import { type AnyColumn, and, count, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { withTotal, preparePages, type PageInput } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'

/** Sign-ins that are neither revoked nor expired. */
export const activeFilter = and(isNull(refreshFamilies.revokedAt), gt(refreshFamilies.expiresAt, sql`now()`))
/** Whether a use is to be stored: at most once a minute. True too where none is stored, as of a new personal access token. */
export const staleCondition = (lastUsedAt: AnyColumn): SQL<boolean> =>
  sql`coalesce(${lastUsedAt} <= now() - interval '1 minute', true)`
const currentCondition = sql<boolean>`(${refreshFamilies.id} = ${sql.placeholder('currentId')}::uuid)`
const ownFilter = and(eq(refreshFamilies.userId, sql.placeholder('userId')), activeFilter)

const order = listOrder('auth.sessions', [
  { expression: currentCondition, type: 'boolean', direction: 'desc' },
  { expression: refreshFamilies.lastUsedAt, type: 'timestamptz', direction: 'desc' },
  { expression: refreshFamilies.id, type: 'uuid' },
])
const pageStatement = preparePages('auth.sessions', order, (db, { after, limit, offset }) =>
  db
    .select({
      id: refreshFamilies.id,
      userAgent: refreshFamilies.userAgent,
      address: refreshFamilies.address,
      createdAt: refreshFamilies.createdAt,
      // The current one is in use right now, even if `lastUsedAt` is not yet updated.
      lastSeenAt: sql<Date>`case when ${currentCondition} then now() else ${refreshFamilies.lastUsedAt} end`.mapWith(
        refreshFamilies.lastUsedAt,
      ),
      isCurrent: currentCondition,
      hasPush: sql<boolean>`exists (select from ${pushSubscriptions} where family_id = ${refreshFamilies.id})`,
      key: order.key,
    })
    .from(refreshFamilies)
    .where(and(ownFilter, after))
    .orderBy(...order.orderBy)
    .limit(limit)
    .offset(offset),
)
const totalStatement = prepared('auth.sessions.total', (db) =>
  db.select({ total: count() }).from(refreshFamilies).where(ownFilter),
)

/** A page of a user's active sign-ins: the current one first, then by last use. */
export const findSignIns = (reader: Reader, paging: PageInput, userId: string, currentId: string) =>
  withTotal(pageStatement(reader, paging, { userId, currentId }), totalStatement(reader, { userId }))
