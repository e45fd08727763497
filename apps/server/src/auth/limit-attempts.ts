import { appErrors, limits } from '@community/contract'
import type { Tx } from '@community/db'
import { sql } from 'drizzle-orm'
import { addressKey, limitsOfAddress } from '../http/client-address.ts'
import type { Context } from '../context.ts'
import { type AttemptLimit, consumeRateLimits, consumeRateLimit } from '../http/rate-limits.ts'

/** Sign-ins and codes per address, right or wrong. Generous, because a whole campus may share one address. */
const ATTEMPTS = { max: 1000, seconds: limits.SIGN_IN_WINDOW }

/** Callers with their own pool do not count against the address, so that a flood from there does not lock them out. */
export const limitAttempts = ({ db, request }: Context, pool?: string): Promise<void> =>
  pool === undefined
    ? consumeRateLimits(db, limitsOfAddress('attempts', request.address, ATTEMPTS))
    : consumeRateLimit(db, `attempts:${pool}`, ATTEMPTS)

/** Refresh tokens cannot be guessed, and every device rotates its own four times an hour. */
const REFRESHES = { max: 10_000, seconds: limits.SIGN_IN_WINDOW }

export const limitRefreshes = ({ db, request }: Context): Promise<void> =>
  consumeRateLimits(db, limitsOfAddress('refreshes', request.address, REFRESHES))

/** Per sign-in, from any address: each rotation inserts rows, and a normal device needs less than a tenth of this. */
const ROTATIONS = { max: 120, seconds: limits.SIGN_IN_WINDOW }

export const limitRotations = (tx: Tx, familyId: string): Promise<void> =>
  consumeRateLimit(tx, `renewals:${familyId}`, ROTATIONS)

/** Wrong passwords and codes per address: slows down one guess each at many accounts. Normal mistakes at a campus stay far below. */
export const ADDRESS_FAILURES = { max: 300, seconds: limits.SIGN_IN_WINDOW }

export const addressFailureLimits = ({ request }: Context): AttemptLimit[] =>
  limitsOfAddress('wrong', request.address, ADDRESS_FAILURES).map((limit) => ({
    ...limit,
    error: appErrors.tooManyRequests,
  }))

/**
 * Limits for wrong passwords: ten per account and address, thirty per account, and those of the address over all accounts. A known device
 * has ten of its own instead, so that strangers cannot lock out the owner.
 */
export const passwordFailureLimits = (ctx: Context, email: string, deviceId: string | undefined): AttemptLimit[] => {
  const key = `sign-in:${email}`
  const window = { seconds: limits.SIGN_IN_WINDOW, error: appErrors.signInLocked }
  if (deviceId !== undefined) return [{ key: `${key}:device:${deviceId}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window }]
  return [
    { key: `${key}:${addressKey(ctx.request.address)}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    { key, max: 3 * limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    ...addressFailureLimits(ctx),
  ]
}

/** Ends an account's lockouts after a password change: the failures were guesses at the old password. */
export async function clearPasswordFailures({ db }: Context, email: string): Promise<void> {
  const key = `sign-in:${email}`
  const codeFailuresKey = `code-failures:sign-in:${email}:ids`
  // Locks the rows in the same order as running attempts.
  await db.execute(sql`
    delete from rate_limits where key in (
      select key from rate_limits where key in (${key}, ${codeFailuresKey}) or starts_with(key, ${`${key}:`})
      order by key collate "C" for update)`)
}
