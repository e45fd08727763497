import type { SignInResult } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { Context } from '../context.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { setDeviceCookie } from './device-cookie.ts'
import { notifyOfNewDevice } from './new-device-mail.ts'
import { createSignIn } from './sessions.ts'
import type { UserRow } from '../users/account-queries.ts'
import { assertActive, lockUser } from '../users/lock-user.ts'

export interface AuthenticatedAccount {
  userId: string
  /** The account, if its row is locked already. */
  locked?: UserRow
  /** Whether this sign-in created the account. */
  isNewAccount?: boolean
}

/**
 * Signs in the account that `authenticate` returns, in its transaction. Notifies the owner of a new kind of device, once per device; the
 * first device of a new account is not reported.
 */
export async function completeSignIn(
  ctx: Context,
  authenticate: (tx: Tx) => Promise<AuthenticatedAccount>,
): Promise<SignInResult> {
  const { db, deps, request } = ctx
  const origin = { address: request.ip, country: await lookUpCountry(request.ip) }
  const { result, user, isNewDevice } = await inTransaction(db, async (tx) => {
    const { userId, locked, isNewAccount = false } = await authenticate(tx)
    const active = assertActive(locked ?? (await lockUser(tx, userId, 'share')))
    if (isNewAccount) return createSignIn(tx, deps, active, request)
    return createSignIn(tx, deps, active, request, (account, device) =>
      notifyOfNewDevice(tx, deps, account, { ...device, ...origin }),
    )
  })
  if (isNewDevice) wakeWorkers()
  setDeviceCookie(ctx, user)
  const { id, role } = user
  logSecurityEvent(ctx, role === 'admin' ? 'auth.admin_signed_in' : 'auth.signed_in', { userId: id })
  return result
}
