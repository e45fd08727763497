import { faults, limits } from '@community/contract'
import type { Tx } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { addressKey, type Guard, takeOrRefuse } from '../rate-limits.ts'

/** Sign-ins and codes, right or wrong, per address: generous, a whole campus may share one. */
const ATTEMPTS = { max: 1000, seconds: limits.SIGN_IN_WINDOW }

export const limitAttempts = ({ db, request }: Context): Promise<void> =>
  takeOrRefuse(db, `attempts:${addressKey(request.address)}`, ATTEMPTS)

/** Refresh tokens cannot be guessed, and every device renews its own four times an hour. */
const REFRESHES = { max: 10_000, seconds: limits.SIGN_IN_WINDOW }

export const limitRefreshes = ({ db, request }: Context): Promise<void> =>
  takeOrRefuse(db, `refreshes:${addressKey(request.address)}`, REFRESHES)

/** Of one sign-in, wherever its token is traded: each trade adds rows, and no honest device makes a tenth of these. */
const RENEWALS = { max: 120, seconds: limits.SIGN_IN_WINDOW }

export const limitRenewals = (tx: Tx, familyId: string): Promise<void> =>
  takeOrRefuse(tx, `renewals:${familyId}`, RENEWALS)

/** Wrong passwords and codes per address: stops one guess at each of many accounts. */
export const wrongFromAddress = ({ request }: Context): Guard => ({
  key: `wrong:${addressKey(request.address)}`,
  max: 60,
  seconds: 5 * limits.MINUTE,
  fault: faults.tooManyRequests,
})

/**
 * Wrong passwords per account: ten from one address, three times as many from all of them. So somebody who guesses at an
 * account from one place does not lock its owner out at another.
 */
export const wrongPasswords = ({ request }: Context, email: string): Guard[] => {
  const window = { seconds: limits.SIGN_IN_WINDOW, fault: faults.signInLocked }
  return [
    { key: `sign-in:${email}:${addressKey(request.address)}`, max: limits.SIGN_IN_TRIES, ...window },
    { key: `sign-in:${email}`, max: 3 * limits.SIGN_IN_TRIES, ...window },
  ]
}

/** Ends an account's lock, wherever its wrong passwords came from: they guessed at one that is no more. */
export async function forgetWrongPasswords({ db }: Context, email: string): Promise<void> {
  const key = `sign-in:${email}`
  // Locked in the order that attempts under way lock them in.
  await db.execute(sql`
    delete from rate_limits where key in (
      select key from rate_limits where key = ${key} or starts_with(key, ${`${key}:`}) order by key collate "C" for update)`)
}
