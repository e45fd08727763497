import { appErrors, limits } from '@community/contract'
import type { Tx } from '@community/db'
import { ipKey, limitsPerIp } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { type AttemptLimit, consumeRateLimits, consumeRateLimit, type Limit } from '../http/rate-limits.ts'
import { deleteRateLimits } from './account-commands.ts'

const ATTEMPTS = { max: limits.SIGN_IN_REQUESTS_PER_IP, seconds: limits.SIGN_IN_WINDOW }

/** A known device or code id has a counter of its own, so that a flood from its IP address, or from another device, does not block it. */
export const limitAttempts = ({ db, request }: Context, clientId?: string): Promise<void> =>
  clientId === undefined
    ? consumeRateLimits(db, limitsPerIp('attempts', request.ip, ATTEMPTS))
    : consumeRateLimit(db, `attempts:${clientId}`, ATTEMPTS)

/** Only against floods: refresh tokens cannot be guessed. Every device refreshes four times an hour. */
const REFRESHES = { max: 10_000, seconds: limits.SIGN_IN_WINDOW }

export const limitRefreshes = ({ db, request }: Context): Promise<void> =>
  consumeRateLimits(db, limitsPerIp('refreshes', request.ip, REFRESHES))

/** Each rotation inserts rows. */
export const limitRotations = (tx: Tx, familyId: string): Promise<void> =>
  consumeRateLimit(tx, `renewals:${familyId}`, { max: limits.REFRESHES_MAX, seconds: limits.REFRESHES_WINDOW })

/** Against password spraying. */
export const IP_FAILURES = { max: limits.SIGN_IN_FAILURES_PER_IP, seconds: limits.SIGN_IN_WINDOW }

/** For codes with an id that anyone gets, so that one IP address cannot try a few codes of every account. */
const IP_FAILURES_WITH_ID = { max: limits.CODE_ID_FAILURES_PER_IP, seconds: limits.HOUR }

const failureLimits = ({ request }: Context, name: string, limit: Limit): AttemptLimit[] =>
  limitsPerIp(name, request.ip, limit).map((keyed) => ({ ...keyed, error: appErrors.tooManyRequests }))

export const ipFailureLimits = (ctx: Context): AttemptLimit[] => failureLimits(ctx, 'wrong', IP_FAILURES)

export const ipFailureLimitsForCodeId = (ctx: Context): AttemptLimit[] =>
  failureLimits(ctx, 'wrong-with-id', IP_FAILURES_WITH_ID)

/**
 * Limits for wrong passwords: ten per account and IP address, thirty per account, and those of the IP address over all accounts. Attempts
 * from a known device count against a limit of ten for that device only, so that others cannot lock out the owner.
 */
export const passwordFailureLimits = (ctx: Context, email: string, deviceId: string | undefined): AttemptLimit[] => {
  const key = `sign-in:${email}`
  const window = { seconds: limits.SIGN_IN_WINDOW, error: appErrors.signInLocked }
  if (deviceId !== undefined) return [{ key: `${key}:device:${deviceId}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window }]
  return [
    { key: `${key}:${ipKey(ctx.request.ip)}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    { key, max: 3 * limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    ...ipFailureLimits(ctx),
  ]
}

/** Clears an account's counters of wrong passwords and of wrong sign-in codes with an id, after a password reset. */
export async function clearSignInFailures({ db }: Context, email: string): Promise<void> {
  const key = `sign-in:${email}`
  const codeFailuresKey = `code-failures:sign-in:${email}:ids`
  await deleteRateLimits(db, [key, codeFailuresKey], `${key}:`)
}
