import { faults, limits } from '@community/contract'
import { statement } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { MemberContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { attempting, type Guard } from '../rate-limits.ts'

const passwordHashOf = statement('password_hash_of_user', (q) =>
  q
    .select({ hash: users.passwordHash })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** One count per administrator over all calls, from wherever they come. */
const wrongPasswordsOf = (id: string): Guard => ({
  key: `admin-password:${id}`,
  max: limits.ADMIN_PASSWORD_TRIES,
  seconds: limits.ADMIN_PASSWORD_WINDOW,
  fault: faults.adminPasswordLocked,
})

/**
 * Compares the password an administrator re-entered with their own. Five wrong ones in fifteen minutes, over all calls that
 * ask for it, lock it: then the right one is refused too.
 */
export async function confirmAdminPassword({ db, deps, user }: MemberContext, password: string): Promise<void> {
  if (password.trim() === '') throw new Refusal(faults.passwordRequired)
  const [known] = await passwordHashOf(db, { id: user.id })
  const compare = () => deps.passwords.verify(known?.hash ?? null, password)
  const isRight = await attempting(db, [wrongPasswordsOf(user.id)], compare)
  if (!isRight) throw new Refusal(faults.wrongPassword)
}
