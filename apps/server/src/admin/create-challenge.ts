import { type contract, appErrors, isDeadlineFarEnough, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { readDatabaseClock, insertChallenge } from '../challenges/commands.ts'
import { toChallenge } from '../challenges/views.ts'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { notifyChallengeChange } from '../notifications/notify-challenge.ts'
import { emitIfOpenedOrClosed } from '../webhooks/emit-challenge.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

type CreateChallengeRoute = typeof contract.admin.createChallenge

/** Creates a challenge. The password is already verified and is neither stored nor logged. */
export function createChallenge(
  ctx: AuthenticatedContext,
  { password: _password, ...input }: ParsedInput<CreateChallengeRoute>,
): Promise<Output<CreateChallengeRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    if (!isDeadlineFarEnough(input.deadline, await readDatabaseClock(tx))) throw new AppError(appErrors.deadlineTooSoon)
    const row = await insertChallenge(tx, input, ctx.user.id)
    await audit(tx, ctx, {
      action: 'admin.createChallenge',
      targetId: row.id,
      details: { title: row.title, points: row.points, deadline: row.deadline.toISOString(), isActive: row.isActive },
    })
    await notifyChallengeChange(tx, ctx, null, row, await emitIfOpenedOrClosed(tx, ctx.deps, null, row))
    return { challenge: toChallenge(row) }
  })
}
