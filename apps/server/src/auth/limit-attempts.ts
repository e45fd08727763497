import { appErrors, limits } from '@community/contract'
import type { Tx } from '@community/db'
import { sql } from 'drizzle-orm'
import { addressKey, limitsOfAddress } from '../http/client-address.ts'
import type { Context } from '../context.ts'
import { type AttemptLimit, takeSlotsOrThrow, takeSlotOrThrow } from '../http/rate-limits.ts'

/** Sign-ins and codes, right or wrong, per address: generous, a whole campus may share one. */
const ATTEMPTS = { max: 1000, seconds: limits.SIGN_IN_WINDOW }

/** A caller with attempts of their own is not counted with the address, so a flood from there does not shut them out. */
export const limitAttempts = ({ db, request }: Context, pool?: string): Promise<void> =>
  pool === undefined
    ? takeSlotsOrThrow(db, limitsOfAddress('attempts', request.address, ATTEMPTS))
    : takeSlotOrThrow(db, `attempts:${pool}`, ATTEMPTS)

/** Refresh tokens cannot be guessed, and every device renews its own four times an hour. */
const REFRESHES = { max: 10_000, seconds: limits.SIGN_IN_WINDOW }

export const limitRefreshes = ({ db, request }: Context): Promise<void> =>
  takeSlotsOrThrow(db, limitsOfAddress('refreshes', request.address, REFRESHES))

/** Of one sign-in, wherever its token is traded: each trade adds rows, and no honest device makes a tenth of these. */
const ROTATIONS = { max: 120, seconds: limits.SIGN_IN_WINDOW }

export const limitRotations = (tx: Tx, familyId: string): Promise<void> =>
  takeSlotOrThrow(tx, `renewals:${familyId}`, ROTATIONS)

/** Wrong passwords and codes per address: slows one guess at each of many accounts. One person's mistakes at a campus stay far below. */
export const ADDRESS_FAILURES = { max: 300, seconds: limits.SIGN_IN_WINDOW }

export const addressFailureLimits = ({ request }: Context): AttemptLimit[] =>
  limitsOfAddress('wrong', request.address, ADDRESS_FAILURES).map((limit) => ({
    ...limit,
    fault: appErrors.tooManyRequests,
  }))

/**
 * Wrong passwords per account: ten from one address, three times as many from all of them, and those of the address at all accounts.
 * A device that signed in to the account before has ten of its own and none of these: strangers do not lock its owner out.
 */
export const passwordFailureLimits = (ctx: Context, email: string, deviceId?: string): AttemptLimit[] => {
  const key = `sign-in:${email}`
  const window = { seconds: limits.SIGN_IN_WINDOW, fault: appErrors.signInLocked }
  if (deviceId !== undefined) return [{ key: `${key}:device:${deviceId}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window }]
  return [
    { key: `${key}:${addressKey(ctx.request.address)}`, max: limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    { key, max: 3 * limits.SIGN_IN_ATTEMPTS_MAX, ...window },
    ...addressFailureLimits(ctx),
  ]
}

/** Ends an account's locks after a new password: wrong ones guessed at one that is no more, and so did who began sign-ins with it. */
export async function clearPasswordFailures({ db }: Context, email: string): Promise<void> {
  const key = `sign-in:${email}`
  const codeFailuresKey = `code-failures:sign-in:${email}:ids`
  // Locked in the order that attempts under way lock them in.
  await db.execute(sql`
    delete from rate_limits where key in (
      select key from rate_limits where key in (${key}, ${codeFailuresKey}) or starts_with(key, ${`${key}:`})
      order by key collate "C" for update)`)
}
