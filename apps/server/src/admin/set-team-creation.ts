import type { contract, Output, ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { updateTeamCreation } from '../system/queries.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

type SetTeamCreationRoute = typeof contract.admin.setTeamCreation

/** Switches team creation on or off. The password is already verified. */
export function setTeamCreation(
  ctx: AuthenticatedContext,
  { enabled }: ParsedInput<SetTeamCreationRoute>,
): Promise<Output<SetTeamCreationRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const before = await updateTeamCreation(tx, enabled)
    await audit(tx, ctx, {
      action: 'admin.setTeamCreation',
      details: { before, after: enabled },
    })
    return { settings: { teamCreationEnabled: enabled } }
  })
}
