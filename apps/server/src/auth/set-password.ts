import { adminPasswordProblem, appErrors, withMessage } from '@community/contract'
import type { Tx } from '@community/db'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { deviceValues } from '../mails/device-values.ts'
import { queueMail } from '../jobs/mail.ts'
import type { UserRow } from '../users/account-queries.ts'
import { deleteIdentities, updatePasswordHash } from './account-commands.ts'
import { invalidateCodes } from './code-commands.ts'
import { endAllFamilies } from './session-commands.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'
import { deleteTokens } from '../personal-tokens/commands.ts'
import { lockUser } from '../users/lock-user.ts'

/** The input's field that contains the new password. */
type Field = 'password' | 'newPassword'

/** Throws if an administrator's password breaks their stricter rules, with the message of the broken rule. */
export function assertStrongForAdmin({ role }: Pick<UserRow, 'role'>, password: string, path: Field): void {
  const problem = role === 'admin' ? adminPasswordProblem(password) : null
  if (problem !== null) throw new AppError({ ...withMessage(appErrors.adminPasswordWeak, problem), path })
}

/** A checked and hashed password. */
export interface NewPassword {
  password: string
  hash: string
  path: Field
  /** Stored as the reason why the sign-ins ended. */
  reason: string
  /** Whether the personal access tokens end too; sign-ins always do. */
  revokesTokens: boolean
  /** Whether it was set by a mailed code: that also unlinks the external identities, and has a mail of its own. */
  isReset: boolean
}

/** The device and country of the request, for the notification mail. */
export const readDevice = async ({ request: { ip, userAgent } }: Context) => ({
  ...parseDevice(userAgent),
  address: ip,
  country: await lookUpCountry(ip),
})

/**
 * Writes a new password: invalidates the account's codes, ends every sign-in and notifies the owner. `recheck` receives the locked
 * account and throws if the change is no longer allowed. Locks codes before the account, like sign-ins.
 */
export async function setPassword(
  tx: Tx,
  { deps }: Context,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  { password, hash, path, reason, revokesTokens, isReset }: NewPassword,
  { device, recheck }: { device: Awaited<ReturnType<typeof readDevice>>; recheck: (user: UserRow | undefined) => void },
): Promise<void> {
  await invalidateCodes(tx, email)
  const user = await lockUser(tx, id, 'no key update')
  recheck(user)
  if (!user) throw new AppError(appErrors.notSignedIn)
  assertStrongForAdmin(user, password, path)
  await updatePasswordHash(tx, id, hash)
  await endAllFamilies(tx, id, reason)
  if (revokesTokens) await deleteTokens(tx, id)
  if (isReset) await deleteIdentities(tx, id)
  const { language } = user
  const values = deviceValues(language, device, new Date())
  const template = isReset ? 'password-reset' : 'password-changed'
  await queueMail(tx, deps, { template, to: user.email, language, values })
}
