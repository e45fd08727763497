import { type contract, appErrors, isDeadlineFarEnough } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { readDatabaseClock, insertChallenge } from '../challenges/commands.ts'
import { toChallenge } from '../challenges/views.ts'
import { AppError } from '../errors.ts'
import { notifyChallengeChange } from '../notifications/notify-challenge.ts'
import { emitIfOpenedOrClosed } from '../webhooks/emit-challenge.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Creates a challenge. The password is already verified and is neither stored nor logged. */
export const createChallenge: UseCase<typeof contract.admin.createChallenge> = (
  ctx,
  { password: _password, ...input },
) =>
  inTransaction(ctx.db, async (tx) => {
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
