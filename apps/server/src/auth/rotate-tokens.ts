import { faults, limits, type SignedIn } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { refreshFamilies, refreshTokens } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { profileOf } from '../users/views.ts'
import { limitRenewals } from './limit-attempts.ts'
import { hashToken } from './session-adapter.ts'
import { endFamily, lockForSignIn, openAccess } from './sessions.ts'

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
export async function rotate({ db, deps, request }: Context, refreshToken: string): Promise<SignedIn> {
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
    await limitRenewals(tx, familyId)
    if (!isSpent) {
      await tx.update(refreshTokens).set({ spentAt: sql`now()` }).where(eq(refreshTokens.hash, hash))
      await tx.insert(refreshTokens).values({ hash: hashToken(successor), familyId, generation: generation + 1 })
      const seen = { lastUsedAt: sql`now()`, address: request.address }
      await tx.update(refreshFamilies).set(seen).where(eq(refreshFamilies.id, familyId))
    }
    return { user: profileOf(user), token: await openAccess(tx, user.id, familyId), refreshToken: successor }
  })
  if (!pair) throw new Refusal(faults.refreshInvalid)
  return pair
}
