import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import { setMessage, type UseCase } from '../context.ts'
import { updateTeamCreation } from '../system/commands.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Switches team creation on or off. The password is already verified. */
export const setTeamCreation: UseCase<typeof contract.admin.setTeamCreation> = (ctx, { enabled }) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const before = await updateTeamCreation(tx, enabled)
    await audit(tx, ctx, {
      action: 'admin.setTeamCreation',
      details: { before, after: enabled },
    })
    setMessage(ctx, `Team creation ${enabled ? 'enabled' : 'disabled'} successfully`)
    return { settings: { teamCreationEnabled: enabled } }
  })
