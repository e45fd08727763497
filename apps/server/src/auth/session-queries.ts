import { type Reader, prepared, type Tx } from '@community/db'
import { refreshFamilies, sessions } from '@community/db/schema'
import { and, count, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { withTotal, preparePages, type PageInput } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'
import { lockUser } from '../users/lock-user.ts'

const activeFilter = and(isNull(refreshFamilies.revokedAt), gt(refreshFamilies.expiresAt, sql`now()`))
const isCurrent = sql<boolean>`(${refreshFamilies.id} = ${sql.placeholder('currentId')}::uuid)`
const ownFilter = and(eq(refreshFamilies.userId, sql.placeholder('userId')), activeFilter)

const order = listOrder('auth.sessions', [
  { expression: isCurrent, type: 'boolean', direction: 'desc' },
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
      lastSeenAt: sql<Date>`case when ${isCurrent} then now() else ${refreshFamilies.lastUsedAt} end`.mapWith(
        refreshFamilies.lastUsedAt,
      ),
      isCurrent,
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

const revocation = (reason: string) => ({ revokedAt: sql`now()`, revokedReason: reason })

/** Ends one of the user's own active sign-ins; false if there is none. */
export async function endSignIn(tx: Tx, userId: string, id: string): Promise<boolean> {
  const ended = await tx
    .update(refreshFamilies)
    .set(revocation('ended by its owner'))
    .where(and(eq(refreshFamilies.id, id), eq(refreshFamilies.userId, userId), activeFilter))
    .returning({ id: refreshFamilies.id })
  // A concurrent refresh has held the row until now: this statement sees the session it created.
  await tx.delete(sessions).where(
    inArray(
      sessions.familyId,
      ended.map((family) => family.id),
    ),
  )
  return ended.length > 0
}

/** Ends all active sign-ins of a user except `exceptId`; returns their number. */
export async function endSignIns(tx: Tx, userId: string, exceptId: string | null): Promise<number> {
  // Sign-ins and refreshes take a shared lock on this row, so each one finishes before or starts after.
  await lockUser(tx, userId, 'no key update')
  const exceptFilter = exceptId === null ? undefined : ne(refreshFamilies.id, exceptId)
  const ended = await tx
    .update(refreshFamilies)
    .set(revocation('ended by its owner with the others'))
    .where(and(eq(refreshFamilies.userId, userId), activeFilter, exceptFilter))
    .returning({ id: refreshFamilies.id })
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), exceptId === null ? undefined : ne(sessions.familyId, exceptId)))
  return ended.length
}
