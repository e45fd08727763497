import { type contract, faults, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { Hashing, MemberContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { wakeOutbox } from '../outbox.ts'
import { attempting } from '../rate-limits.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts, wrongFromAddress, wrongPasswords } from './limit-attempts.ts'
import { placeOf, refuseWeakForAdmin, setPassword } from './set-password.ts'

type Change = typeof contract.auth.changePassword

/**
 * Sets a new password with the current one, whose wrong guesses count with those of sign-ins. Every sign-in of the account ends,
 * the caller's too. Of several changes at once with one current password, one is made: it is current no more for the others.
 */
export async function changePassword(ctx: MemberContext & Hashing, input: Parsed<Change>): Promise<null> {
  const { currentPassword, newPassword } = input
  const { db, deps, user } = ctx
  await limitAttempts(ctx)
  const account = await findAccount(db, user.email)
  if (!account) throw new Refusal(faults.notSignedIn)
  const { passwordHash } = account
  if (passwordHash === null) throw new Refusal(faults.noPassword)
  refuseCommonPassword(newPassword, 'newPassword')
  refuseWeakForAdmin(account, newPassword, 'newPassword')
  const guards = [wrongFromAddress(ctx), ...wrongPasswords(ctx, account.email)]
  const isRight = await attempting(db, guards, () => deps.passwords.verify(passwordHash, currentPassword))
  if (!isRight) throw new Refusal(faults.wrongCurrentPassword)

  const hash = await deps.passwords.hash(newPassword)
  const place = await placeOf(ctx)
  const fresh = { password: newPassword, hash, path: 'newPassword', reason: 'the password was changed' } as const
  await inTransaction(db, (tx) =>
    setPassword(tx, ctx, account, fresh, {
      place,
      mayBe: (now) => {
        if (now?.passwordHash !== passwordHash) throw new Refusal(faults.wrongCurrentPassword)
      },
    }),
  )
  wakeOutbox(db)
  return null
}
