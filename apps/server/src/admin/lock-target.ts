import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { users } from '@community/db/schema'
import { asc, inArray } from 'drizzle-orm'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockUser } from '../teams/commands.ts'
import type { UserRow } from '../users/views.ts'

/** Locks the acting administrator: a role that is taken away meanwhile waits, or came first and is told here. */
export async function lockAdmin(tx: Tx, { user }: MemberContext): Promise<void> {
  if ((await lockUser(tx, user.id, 'share'))?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
}

/**
 * Locks the person an administrator acts upon, and the administrator, in the order of their ids: of two who act upon one
 * another the second waits and may be an administrator no more. Administrators cannot act on their own account, so one administrator always stays.
 */
export async function lockTarget(tx: Tx, { user }: MemberContext, targetId: string): Promise<UserRow> {
  if (targetId === user.id) throw new AppError(appErrors.ownAccount)
  const rows = await tx
    .select()
    .from(users)
    .where(inArray(users.id, [user.id, targetId]))
    .orderBy(asc(users.id))
    .for('no key update')
  if (rows.find((row) => row.id === user.id)?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
  const target = rows.find((row) => row.id === targetId)
  if (!target) throw new AppError(appErrors.userMissing)
  return target
}
