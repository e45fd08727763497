import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit } from '../admin/audit.ts'
import { insertRole } from './commands.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Adds a role. A unique index rejects a taken name, ignoring case. */
export const createRole: UseCase<typeof contract.roles.create> = (ctx, input) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const role = await insertRole(tx, input)
    await audit(tx, ctx, {
      action: 'roles.create',
      targetId: role.id,
      details: { name: role.name, category: role.category },
    })
    return { role: { ...role, _id: role.id } }
  })
