import { adminPasswordProblem, appErrors, withMessage } from '@community/contract'
import type { Tx } from '@community/db'
import { users } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-words.ts'
import { queueMail } from '../jobs/mail.ts'
import type { UserRow } from '../users/views.ts'
import { invalidateCodes } from './codes.ts'
import { lookUpCountry } from './country-of-address.ts'
import { parseDevice } from './device.ts'
import { endAllFamilies } from './sessions.ts'
import { lockUser } from '../users/lock-user.ts'

/** The input's field that a new password stands in. */
type Field = 'password' | 'newPassword'

/** An administrator's password meets the rules for administrators; it is refused in the words of the one it breaks. */
export function assertStrongForAdmin({ role }: Pick<UserRow, 'role'>, password: string, path: Field): void {
  const problem = role === 'admin' ? adminPasswordProblem(password) : null
  if (problem !== null) throw new AppError({ ...withMessage(appErrors.adminPasswordWeak, problem), path })
}

/** A password that was judged and hashed, and may be written. */
export interface NewPassword {
  password: string
  hash: string
  path: Field
  /** Why the sign-ins end, for whoever reads the families. */
  reason: string
}

/** Where a change of password comes from, for the mail that tells of it. */
export const readDevice = async ({ request: { address, userAgent } }: Context) => ({
  ...parseDevice(userAgent),
  address,
  country: await lookUpCountry(address),
})

/**
 * Writes a new password into the transaction: the account's codes are void, every sign-in ends, its owner is told by mail. `mayBe`
 * judges the account as it stands under its lock and refuses by throwing. Codes are locked before the account, as sign-ins do.
 */
export async function setPassword(
  tx: Tx,
  { deps }: Context,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  { password, hash, path, reason }: NewPassword,
  { device, recheck }: { device: Awaited<ReturnType<typeof readDevice>>; recheck: (user: UserRow | undefined) => void },
): Promise<void> {
  await invalidateCodes(tx, email)
  const user = await lockUser(tx, id, 'no key update')
  recheck(user)
  if (!user) throw new AppError(appErrors.notSignedIn)
  assertStrongForAdmin(user, password, path)
  await tx.update(users).set({ passwordHash: hash }).where(eq(users.id, id))
  await endAllFamilies(tx, id, reason)
  const { language } = user
  const values = deviceValues(language, device, new Date())
  await queueMail(tx, deps, { template: 'password-changed', to: user.email, language, values })
}
