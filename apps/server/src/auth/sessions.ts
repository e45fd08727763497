import { randomBytes } from 'node:crypto'
import { faults, limits, type SignedIn } from '@community/contract'
import { type Db, inTransaction, type Reader, statement, type Tx } from '@community/db'
import { refreshFamilies, refreshTokens, sessions, users } from '@community/db/schema'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { Lucia, TimeSpan } from 'lucia'
import type { Caller, Context, Deps, RequestFacts } from '../context.ts'
import { Refusal } from '../errors.ts'
import { profileOf, type UserRow } from '../users/views.ts'
import { HashedSessionAdapter, hashToken } from './session-adapter.ts'

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof luciaOn>
    DatabaseSessionAttributes: { familyId: string }
    DatabaseUserAttributes: { name: string; email: string; role: 'member' | 'admin' }
  }
}

const luciaOn = (reader: Reader) =>
  new Lucia(new HashedSessionAdapter(reader), {
    sessionExpiresIn: new TimeSpan(limits.ACCESS_LIFE, 's'),
    getSessionAttributes: ({ familyId }) => ({ familyId }),
    getUserAttributes: ({ name, email, role }) => ({ name, email, role }),
  })
const kept = new WeakMap<Db, ReturnType<typeof luciaOn>>()
function luciaOf(db: Db) {
  const known = kept.get(db) ?? luciaOn(db)
  kept.set(db, known)
  return known
}

const expiredByHash = statement('expired_session_by_hash', (q) =>
  q
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder('hash')), lte(sessions.expiresAt, sql`now()`))),
)

/** Whose access token this is: read anew for every request, so that a ban or a demotion counts at once. */
export async function findCaller(
  { db }: Pick<Deps, 'db'>,
  token: string,
): Promise<{ caller: Caller } | { expired: true } | null> {
  const { session, user } = await luciaOf(db).validateSession(token)
  if (session && user) {
    const { id, name, email, role } = user
    return { caller: { id, name, email, role, familyId: session.familyId } }
  }
  const [known] = await expiredByHash(db, { hash: hashToken(token) })
  return known ? { expired: true } : null
}

/** A signed-in person must still be there and not be banned; the lock keeps both so until the session is written. */
async function lockForSignIn(tx: Tx, userId: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for('share')
  if (!row) throw new Refusal(faults.notSignedIn)
  if (row.isBanned) throw new Refusal(faults.banned)
  return row
}

const openAccess = async (tx: Tx, userId: string, familyId: string): Promise<string> =>
  (await luciaOn(tx).createSession(userId, { familyId })).id

/** Begins a sign-in: a family of refresh tokens and its first access token. */
export async function openSession(tx: Tx, userId: string, request: RequestFacts): Promise<SignedIn> {
  const user = await lockForSignIn(tx, userId)
  const [family] = await tx
    .insert(refreshFamilies)
    .values({
      userId,
      userAgent: request.userAgent,
      address: request.address,
      expiresAt: sql`now() + make_interval(secs => ${limits.REFRESH_LIFE})`,
    })
    .returning({ id: refreshFamilies.id })
  const familyId = family?.id ?? ''
  const refreshToken = randomBytes(32).toString('base64url')
  await tx.insert(refreshTokens).values({ hash: hashToken(refreshToken), familyId, generation: 1 })
  return { user: profileOf(user), token: await openAccess(tx, userId, familyId), refreshToken }
}

/** Ends a sign-in: its refresh tokens and its access tokens. */
export async function endFamily(tx: Tx, familyId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(refreshFamilies.id, familyId), isNull(refreshFamilies.revokedAt)))
  await tx.delete(sessions).where(eq(sessions.familyId, familyId))
}

/** The sign-in of somebody that a refresh token, live or spent, belongs to. */
export async function familyOf(reader: Reader, userId: string, refreshToken: string): Promise<string | undefined> {
  const [row] = await reader
    .select({ familyId: refreshTokens.familyId })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(and(eq(refreshTokens.hash, hashToken(refreshToken)), eq(refreshFamilies.userId, userId)))
  return row?.familyId
}

/** Ends every sign-in of somebody. */
export async function endAllFamilies(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(refreshFamilies.userId, userId), isNull(refreshFamilies.revokedAt)))
  await tx.delete(sessions).where(eq(sessions.userId, userId))
}

/** A spent token as it stands under its family's lock. */
async function standingOf(tx: Tx, hash: string) {
  const [known] = await tx
    .select({ familyId: refreshTokens.familyId, userId: refreshFamilies.userId })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.hash, hash))
  if (!known) return null
  const user = await lockForSignIn(tx, known.userId)
  await tx
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(eq(refreshFamilies.id, known.familyId))
    .for('update')
  const [token] = await tx
    .select({
      generation: refreshTokens.generation,
      isSpent: sql<boolean>`${refreshTokens.spentAt} is not null`,
      isInGrace: sql<boolean>`coalesce(${refreshTokens.spentAt} > now() - make_interval(secs => ${limits.REFRESH_GRACE}), false)`,
      newest: sql<number>`(select max(generation) from refresh_tokens newer where newer.family_id = ${refreshTokens.familyId})`,
      isFamilyDead: sql<boolean>`${refreshFamilies.revokedAt} is not null or ${refreshFamilies.expiresAt} <= now()`,
    })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.hash, hash))
  return token && { ...token, user, familyId: known.familyId }
}

/**
 * Trades a refresh token for a new pair. Each is good once; the one just spent is answered with the same successor for a few
 * seconds, for two tabs that refresh at once. Any other use of a spent one ends the sign-in: somebody has stolen it.
 */
export async function rotate({ db, deps }: Context, refreshToken: string): Promise<SignedIn> {
  const hash = hashToken(refreshToken)
  // The successor follows from the token itself: the grace needs no token to be stored.
  const successor = deps.secret.hmac('refresh-successor', refreshToken)
  const pair = await inTransaction(db, async (tx) => {
    const standing = await standingOf(tx, hash)
    if (!standing || standing.isFamilyDead) return null
    const { user, familyId, generation, isSpent, isInGrace, newest } = standing
    if (isSpent && !(isInGrace && newest === generation + 1)) {
      await endFamily(tx, familyId, 'a spent refresh token was used again')
      return null
    }
    if (!isSpent) {
      await tx.update(refreshTokens).set({ spentAt: sql`now()` }).where(eq(refreshTokens.hash, hash))
      await tx.insert(refreshTokens).values({ hash: hashToken(successor), familyId, generation: generation + 1 })
      await tx.update(refreshFamilies).set({ lastUsedAt: sql`now()` }).where(eq(refreshFamilies.id, familyId))
    }
    return { user: profileOf(user), token: await openAccess(tx, user.id, familyId), refreshToken: successor }
  })
  if (!pair) throw new Refusal(faults.refreshInvalid)
  return pair
}
