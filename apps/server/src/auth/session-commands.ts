import { limits } from '@community/contract'
import { placeholders, prepared, type Reader, type Tx } from '@community/db'
import { pushSubscriptions, refreshFamilies, refreshTokens, sessions } from '@community/db/schema'
import { and, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { lockUser } from '../users/lock-user.ts'
import { activeFilter, staleCondition } from './session-queries.ts'

const sessionInsert = prepared('auth.insert-session', (db) =>
  db
    .insert(sessions)
    .values({
      ...placeholders(['id', 'userId', 'familyId']),
      expiresAt: sql`now() + make_interval(secs => ${sql.placeholder('seconds')})`,
    })
    // A repeated refresh derives the same token.
    .onConflictDoNothing(),
)
/** Stores an access token by its hash, for the remaining seconds. */
export async function insertSession(
  db: Reader,
  session: { id: string; userId: string; familyId: string; seconds: number },
): Promise<void> {
  await sessionInsert(db, session)
}

/** Sessions that have not expired. Those that expired within a day are stored too, and may be too many to delete in one statement. */
const liveCondition = gt(sessions.expiresAt, sql`now()`)

/** Deletes a session that has not expired, by the hash of its token. */
export async function deleteActiveSession(db: Reader, hash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.id, hash), liveCondition))
}

export async function deleteSessionsOfUser(db: Reader, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}

const familyInsert = prepared('auth.insert-family', (db) =>
  db.insert(refreshFamilies).values({
    ...placeholders(['id', 'userId', 'userAgent', 'address']),
    expiresAt: sql`now() + make_interval(secs => ${limits.REFRESH_TOKEN_TTL})`,
  }),
)
const firstTokenInsert = prepared('auth.insert-first-token', (db) =>
  db.insert(refreshTokens).values({ ...placeholders(['hash', 'familyId']), generation: 1 }),
)
/** How many sign-ins a new one ends at most: several, because concurrent sign-ins may exceed the maximum by more than one. */
const EXCESS_BATCH = 10
/** Lets them expire: housekeeping then deletes them with their tokens, which may be too many for one statement. */
const excessEnd = prepared('auth.end-excess-families', (db) => {
  const excess = db
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(and(eq(refreshFamilies.userId, sql.placeholder('userId')), gt(refreshFamilies.expiresAt, sql`now()`)))
    .orderBy(desc(sql`${activeFilter}`), desc(refreshFamilies.lastUsedAt))
    .offset(limits.SIGN_INS_MAX)
    .limit(EXCESS_BATCH)
  // One that is being refreshed or deleted is left for the next sign-in.
  const unlocked = db
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(inArray(refreshFamilies.id, excess))
    .for('update', { skipLocked: true })
  const ended = db.$with('ended').as(
    db
      .update(refreshFamilies)
      .set({ revokedAt: sql`coalesce(${refreshFamilies.revokedAt}, now())`, expiresAt: sql`now()` })
      .where(sql`${refreshFamilies.id} = any(array(${unlocked}))`)
      .returning({ id: refreshFamilies.id }),
  )
  return db
    .with(ended)
    .delete(pushSubscriptions)
    .where(inArray(pushSubscriptions.familyId, db.select({ id: ended.id }).from(ended)))
})
/** Inserts a sign-in with the hash of its first refresh token, and ends those that the account has beyond the maximum. */
export async function insertFamily(
  tx: Tx,
  { tokenHash, ...family }: { id: string; userId: string; userAgent: string; address: string; tokenHash: string },
): Promise<void> {
  await Promise.all([
    familyInsert(tx, family),
    firstTokenInsert(tx, { hash: tokenHash, familyId: family.id }),
    excessEnd(tx, { userId: family.userId }),
  ])
}

export async function lockFamily(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: refreshFamilies.id }).from(refreshFamilies).where(eq(refreshFamilies.id, id)).for('update')
}

interface Rotation {
  /** The hash of the spent token. */
  hash: string
  spentBy: string
  familyId: string
  successor: { hash: string; generation: number }
  address: string
}

/** Spends a refresh token of a locked family and inserts its successor. */
export async function spendToken(tx: Tx, { hash, spentBy, familyId, successor, address }: Rotation): Promise<void> {
  await tx.update(refreshTokens).set({ spentAt: sql`now()`, spentBy }).where(eq(refreshTokens.hash, hash))
  await tx.insert(refreshTokens).values({ ...successor, familyId })
  await tx.update(refreshFamilies).set({ lastUsedAt: sql`now()`, address }).where(eq(refreshFamilies.id, familyId))
}

/** Records the last use of a sign-in, at most once a minute. */
export async function touchFamily(tx: Tx, id: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(eq(refreshFamilies.id, id), isNull(refreshFamilies.revokedAt), staleCondition(refreshFamilies.lastUsedAt)),
    )
}

const revocation = (reason: string) => ({ revokedAt: sql`now()`, revokedReason: reason })

/** Ends a sign-in with its refresh and access tokens. */
export async function endFamily(tx: Tx, familyId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set(revocation(reason))
    .where(and(eq(refreshFamilies.id, familyId), isNull(refreshFamilies.revokedAt)))
  await tx.delete(sessions).where(eq(sessions.familyId, familyId))
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.familyId, familyId))
}

/** Ends every sign-in of a user. */
export async function endAllFamilies(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set(revocation(reason))
    .where(and(eq(refreshFamilies.userId, userId), activeFilter))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), liveCondition))
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
}

/** Ends one of the user's own active sign-ins; false if there is none. */
export async function endSignIn(tx: Tx, userId: string, id: string): Promise<boolean> {
  const ended = await tx
    .update(refreshFamilies)
    .set(revocation('ended by its owner'))
    .where(and(eq(refreshFamilies.id, id), eq(refreshFamilies.userId, userId), activeFilter))
    .returning({ id: refreshFamilies.id })
  // A concurrent refresh has held the row until now: this statement sees the session it created.
  const endedIds = ended.map((family) => family.id)
  await tx.delete(sessions).where(inArray(sessions.familyId, endedIds))
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.familyId, endedIds))
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
    .where(
      and(eq(sessions.userId, userId), liveCondition, exceptId === null ? undefined : ne(sessions.familyId, exceptId)),
    )
  const exceptPush = exceptId === null ? undefined : ne(pushSubscriptions.familyId, exceptId)
  await tx.delete(pushSubscriptions).where(and(eq(pushSubscriptions.userId, userId), exceptPush))
  return ended.length
}
