import { appErrors } from '@community/contract'
import { prepared, type Reader, type Tx } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import type { UserRow } from './account-queries.ts'

const selectUser = (db: Reader) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
const lockStatements = {
  share: prepared('users.lock.share', (db) => selectUser(db).for('share')),
  'no key update': prepared('users.lock.no-key-update', (db) => selectUser(db).for('no key update')),
}
type LockStrength = keyof typeof lockStatements

/**
 * Locks an account; undefined when it was deleted. `share` blocks a ban or a role change; use `no key update` to change the account
 * afterwards. Neither blocks foreign key checks. Lock accounts after codes and before teams.
 */
export async function lockUser(tx: Tx, userId: string, strength: LockStrength): Promise<UserRow | undefined> {
  const [user] = await lockStatements[strength](tx, { userId })
  return user
}

/** Locks an account that must exist and not be banned; throws `notSignedIn` or `banned` otherwise. */
export const lockActiveUser = async (tx: Tx, userId: string, strength: LockStrength): Promise<UserRow> =>
  assertActive(await lockUser(tx, userId, strength))

/** Throws `notSignedIn` for an account that was deleted and `banned` for a banned one. */
export function assertActive<T extends Pick<UserRow, 'isBanned'>>(user: T | undefined): T {
  if (!user) throw new AppError(appErrors.notSignedIn)
  if (user.isBanned) throw new AppError(appErrors.banned)
  return user
}

/** Locks the acting administrator; throws `adminsOnly` when the role was taken away since the request began. */
export async function lockAdmin(tx: Tx, { user }: AuthenticatedContext): Promise<void> {
  assertAdmin(await lockUser(tx, user.id, 'share'))
}

/** Throws `adminsOnly` unless the locked account is an administrator. */
export function assertAdmin(user: Pick<UserRow, 'role'> | undefined): void {
  if (user?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
}

/**
 * Locks the acting administrator and the target account in id order, so that administrators acting on each other run one after the
 * other. Throws `ownAccount` for the caller's own id: one administrator must always remain.
 */
export async function lockAdminAndTarget(tx: Tx, { user }: AuthenticatedContext, targetId: string): Promise<UserRow> {
  if (targetId === user.id) throw new AppError(appErrors.ownAccount)
  const locked = new Map<string, UserRow | undefined>()
  for (const id of [user.id, targetId].toSorted()) locked.set(id, await lockUser(tx, id, 'no key update'))
  if (locked.get(user.id)?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
  const target = locked.get(targetId)
  if (!target) throw new AppError(appErrors.userMissing)
  return target
}
