import type { contract, Output, ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { audit } from '../admin/audit.ts'
import type { AuthenticatedContext } from '../context.ts'
import { insertRole } from './queries.ts'
import { lockAdmin } from '../users/lock-user.ts'

type CreateRoute = typeof contract.roles.create

/** Adds a role. A unique index rejects a taken name, ignoring case. */
export function createRole(ctx: AuthenticatedContext, input: ParsedInput<CreateRoute>): Promise<Output<CreateRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const role = await insertRole(tx, input)
    await audit(tx, ctx, {
      action: 'roles.create',
      targetId: role.id,
      details: { name: role.name, category: role.category },
    })
    return { role: { ...role, _id: role.id } }
  })
}
