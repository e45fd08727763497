import { appErrors, type SignInResult } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { type Context, setSubject } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-values.ts'
import { queueMail } from '../jobs/mail.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { ipKey } from '../http/client-ip.ts'
import { toProfile } from '../users/views.ts'
import type { UserRow } from '../users/account-queries.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'
import { readDeviceCookie } from './device-cookie.ts'
import { limitRotations } from './limit-attempts.ts'
import { hashToken } from './hash-token.ts'
import { endFamily, lockFamily, spendToken } from './session-commands.ts'
import { createAccessToken } from './sessions.ts'
import { findFamily, findTokenState } from './token-queries.ts'
import { lockActiveUser } from '../users/lock-user.ts'

/** Locks a refresh token's user and family and reads its state. */
async function lockToken(tx: Tx, hash: string) {
  const found = await findFamily(tx, hash)
  if (!found) return null
  const { familyId, userAgent } = found
  const user = await lockActiveUser(tx, found.userId, 'share')
  await lockFamily(tx, familyId)
  const token = await findTokenState(tx, hash)
  return token && { ...token, user, familyId, userAgent }
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
      const next = { hash: hashToken(successor), generation: generation + 1 }
      await spendToken(tx, { hash, spentBy, familyId, successor: next, address: request.ip })
    }
    await createAccessToken(tx, user.id, familyId, accessToken)
    return { requiresOTP: false as const, user: toProfile(user, deps), token: accessToken, refreshToken: successor }
  })
  if (result && 'reusedIn' in result) {
    wakeWorkers()
    logSecurityEvent(ctx, 'auth.refresh_token_reused', { signInId: result.reusedIn })
  }
  if (!result || 'reusedIn' in result) throw new AppError(appErrors.refreshInvalid)
  return result
}
