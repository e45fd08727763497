import { appErrors } from '@community/contract'
import { prepared, type Reader, type Tx } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import type { UserRow } from './views.ts'

const userById = (db: Reader) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
const lockStatements = {
  share: prepared('users.lock.share', (db) => userById(db).for('share')),
  'no key update': prepared('users.lock.no-key-update', (db) => userById(db).for('no key update')),
}
type LockStrength = keyof typeof lockStatements

/**
 * Locks an account; undefined when it is gone. `share` blocks a ban or a change of role, `no key update` is for a caller that goes on to
 * change the account. Neither blocks the lock of a foreign key. Lock accounts after codes and before teams.
 */
export async function lockUser(tx: Tx, userId: string, strength: LockStrength): Promise<UserRow | undefined> {
  const [user] = await lockStatements[strength](tx, { userId })
  return user
}

/** Locks an account that must exist and not be banned; throws `notSignedIn` or `banned` otherwise. */
export async function lockActiveUser(tx: Tx, userId: string, strength: LockStrength): Promise<UserRow> {
  const user = await lockUser(tx, userId, strength)
  if (!user) throw new AppError(appErrors.notSignedIn)
  if (user.isBanned) throw new AppError(appErrors.banned)
  return user
}

/** Locks the acting administrator; throws `adminsOnly` when the role was taken away since the request began. */
export async function lockAdmin(tx: Tx, { user }: MemberContext): Promise<void> {
  if ((await lockUser(tx, user.id, 'share'))?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
}

/**
 * Locks the acting administrator and the account they act on, in the order of their ids: of two administrators who act on each other
 * one waits and may have lost the role. Acting on oneself throws `ownAccount`, so that one administrator always stays.
 */
export async function lockAdminAndTarget(tx: Tx, { user }: MemberContext, targetId: string): Promise<UserRow> {
  if (targetId === user.id) throw new AppError(appErrors.ownAccount)
  const locked = new Map<string, UserRow | undefined>()
  for (const id of [user.id, targetId].toSorted()) locked.set(id, await lockUser(tx, id, 'no key update'))
  if (locked.get(user.id)?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
  const target = locked.get(targetId)
  if (!target) throw new AppError(appErrors.userMissing)
  return target
}
