import { limits } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { refreshFamilies, refreshTokens, sessions, users } from '@community/db/schema'
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { hashToken } from './hash-token.ts'
import { staleCondition } from './session-queries.ts'

/** No row if the sign-in has ended or the user is banned. */
const sessionByHash = prepared('auth.session-by-hash', (q) =>
  q
    .select({
      userId: sessions.userId,
      familyId: sessions.familyId,
      secondsLeft: sql<number>`extract(epoch from ${sessions.expiresAt} - now())::float`,
      name: users.name,
      email: users.email,
      role: users.role,
      isLastUseStale: staleCondition(refreshFamilies.lastUsedAt),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, sessions.familyId))
    .where(and(eq(sessions.id, sql.placeholder('hash')), eq(users.isBanned, false), isNull(refreshFamilies.revokedAt))),
)
/** The session of a hashed access token with its user and sign-in; undefined if the sign-in has ended or the user is banned. */
export async function findSession(db: Reader, hash: string) {
  const [row] = await sessionByHash(db, { hash })
  return row
}

const expiredSessionByHash = prepared('auth.expired-session-by-hash', (q) =>
  q
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder('hash')), lte(sessions.expiresAt, sql`now()`))),
)
export const hasExpiredSession = async (db: Reader, token: string): Promise<boolean> =>
  (await expiredSessionByHash(db, { hash: hashToken(token) })).length > 0

const recentSignInById = prepared('auth.recent-sign-in', (db) =>
  db
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(
      and(
        eq(refreshFamilies.id, sql.placeholder('familyId')),
        gt(refreshFamilies.createdAt, sql`now() - make_interval(secs => ${limits.RECENT_SIGN_IN_MAX_AGE})`),
      ),
    ),
)
/** True if the sign-in is at most ten minutes old. */
export const isSignInRecent = async (db: Reader, familyId: string): Promise<boolean> =>
  (await recentSignInById(db, { familyId })).length > 0

/** The sign-in that a hashed refresh token, valid or spent, belongs to. */
export async function findFamily(db: Reader, hash: string) {
  const [found] = await db
    .select({ familyId: refreshTokens.familyId, userId: refreshFamilies.userId, userAgent: refreshFamilies.userAgent })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.hash, hash))
  return found
}

/** Seconds in which any client may repeat a token that a process of an older release spent: it did not store who. */
const UNKNOWN_CLIENT_GRACE_PERIOD = 10

/** The state of a hashed refresh token. Lock its family first. */
export async function findTokenState(db: Reader, hash: string) {
  const [token] = await db
    .select({
      generation: refreshTokens.generation,
      isSpent: sql<boolean>`${refreshTokens.spentAt} is not null`,
      isInGrace: sql<boolean>`coalesce(${refreshTokens.spentAt} > now() - make_interval(secs => ${limits.REFRESH_GRACE_PERIOD}), false)`,
      spentBy: refreshTokens.spentBy,
      isJustSpent: sql<boolean>`coalesce(${refreshTokens.spentAt} > now() - make_interval(secs => ${UNKNOWN_CLIENT_GRACE_PERIOD}), false)`,
      newest: sql<number>`(select max(generation) from refresh_tokens newer where newer.family_id = ${refreshTokens.familyId})`,
      isFamilyEnded: sql<boolean>`${refreshFamilies.revokedAt} is not null or ${refreshFamilies.expiresAt} <= now()`,
    })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.hash, hash))
  return token
}
