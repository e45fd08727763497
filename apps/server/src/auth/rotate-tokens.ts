import { appErrors, limits, type SignInResult } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { refreshFamilies, refreshTokens } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import { type Context, setSubject } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-values.ts'
import { queueMail } from '../jobs/mail.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { ipKey } from '../http/client-ip.ts'
import { toProfile, type UserRow } from '../users/views.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'
import { readDeviceCookie } from './device-cookie.ts'
import { limitRotations } from './limit-attempts.ts'
import { hashToken } from './session-adapter.ts'
import { endFamily, createAccessToken } from './sessions.ts'
import { lockActiveUser } from '../users/lock-user.ts'

/** Seconds in which any client may repeat a token that a process of an older release spent: it did not store who. */
const UNKNOWN_CLIENT_GRACE_PERIOD = 10

/** Locks a refresh token's user and family and reads its state. */
async function lockToken(tx: Tx, hash: string) {
  const [found] = await tx
    .select({ familyId: refreshTokens.familyId, userId: refreshFamilies.userId, userAgent: refreshFamilies.userAgent })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.hash, hash))
  if (!found) return null
  const user = await lockActiveUser(tx, found.userId, 'share')
  await tx
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(eq(refreshFamilies.id, found.familyId))
    .for('update')
  const [token] = await tx
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
  return token && { ...token, user, familyId: found.familyId, userAgent: found.userAgent }
}

/** Notifies the owner that a device was signed out. Once per family, because an ended family is rejected earlier. */
async function queueSignedOutMail(tx: Tx, { deps, request }: Context, { email, language }: UserRow, userAgent: string) {
  const origin = { address: request.ip, country: await lookUpCountry(request.ip) }
  const values = deviceValues(language, { ...parseDevice(userAgent), ...origin }, new Date())
  await queueMail(tx, deps, { template: 'device-signed-out', to: email, language, values })
}

/** The client that spends a token: a browser by its device cookie, even on another network; a script by its IP address and user agent. */
function clientKey(ctx: Context, user: UserRow): string {
  const { ip, userAgent } = ctx.request
  return ctx.deps.secret.hmac('refresh-client', readDeviceCookie(ctx, user) ?? `${ipKey(ip)} ${userAgent}`)
}

/**
 * Exchanges a refresh token for a new pair. Each token is valid once; the client that just spent it gets the same pair for a minute,
 * because the response may have been lost or two tabs refresh at once. Any other reuse means theft and ends the sign-in.
 */
export async function rotateTokens(ctx: Context, refreshToken: string): Promise<SignInResult> {
  const { db, deps, request } = ctx
  const hash = hashToken(refreshToken)
  // Derived from the token, so that the same pair can be returned without storing it.
  const successor = deps.secret.hmac('refresh-successor', refreshToken)
  const accessToken = deps.secret.hmac('access-successor', refreshToken)
  const result = await inTransaction(db, async (tx) => {
    const state = await lockToken(tx, hash)
    if (!state || state.isFamilyEnded) return null
    setSubject(ctx, state.user.id)
    const { user, familyId, generation, isSpent, isInGrace, newest } = state
    const spentBy = clientKey(ctx, user)
    const isSameClient = state.spentBy === null ? state.isJustSpent : state.spentBy === spentBy
    if (isSpent && !(isInGrace && isSameClient && newest === generation + 1)) {
      await endFamily(tx, familyId, 'a spent refresh token was used again')
      await queueSignedOutMail(tx, ctx, user, state.userAgent)
      return { reusedIn: familyId }
    }
    await limitRotations(tx, familyId)
    if (!isSpent) {
      await tx.update(refreshTokens).set({ spentAt: sql`now()`, spentBy }).where(eq(refreshTokens.hash, hash))
      await tx.insert(refreshTokens).values({ hash: hashToken(successor), familyId, generation: generation + 1 })
      const lastUse = { lastUsedAt: sql`now()`, address: request.ip }
      await tx.update(refreshFamilies).set(lastUse).where(eq(refreshFamilies.id, familyId))
    }
    await createAccessToken(tx, user.id, familyId, accessToken)
    return { requiresOTP: false as const, user: toProfile(user), token: accessToken, refreshToken: successor }
  })
  if (result && 'reusedIn' in result) {
    wakeWorkers(db)
    logSecurityEvent(ctx, 'auth.refresh_token_reused', { signInId: result.reusedIn })
  }
  if (!result || 'reusedIn' in result) throw new AppError(appErrors.refreshInvalid)
  return result
}
