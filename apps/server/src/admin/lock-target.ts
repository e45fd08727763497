import { faults } from '@community/contract'
import type { Tx } from '@community/db'
import { users } from '@community/db/schema'
import { asc, inArray } from 'drizzle-orm'
import type { MemberContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { lockUser } from '../teams/store.ts'
import type { UserRow } from '../users/views.ts'

/** Locks the acting administrator: a role that is taken away meanwhile waits, or came first and is told here. */
export async function lockAdmin(tx: Tx, { user }: MemberContext): Promise<void> {
  if ((await lockUser(tx, user.id, 'share'))?.role !== 'admin') throw new Refusal(faults.adminsOnly)
}

/**
 * Locks the person an administrator acts upon, and the administrator, in the order of their ids: two who act upon one
 * another wait, and the second may be an administrator no more. Nobody acts upon themself.
 */
export async function lockTarget(tx: Tx, { user }: MemberContext, targetId: string): Promise<UserRow> {
  if (targetId === user.id) throw new Refusal(faults.ownAccount)
  const rows = await tx
    .select()
    .from(users)
    .where(inArray(users.id, [user.id, targetId]))
    .orderBy(asc(users.id))
    .for('no key update')
  if (rows.find((row) => row.id === user.id)?.role !== 'admin') throw new Refusal(faults.adminsOnly)
  const target = rows.find((row) => row.id === targetId)
  if (!target) throw new Refusal(faults.userMissing)
  return target
}

/** The same for what may be done to members only. */
export async function lockMember(tx: Tx, ctx: MemberContext, targetId: string): Promise<UserRow> {
  const target = await lockTarget(tx, ctx, targetId)
  if (target.role === 'admin') throw new Refusal(faults.adminTarget)
  return target
}
