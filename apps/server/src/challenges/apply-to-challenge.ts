import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { assertActive } from '../users/lock-user.ts'
import { lockApplication } from './commands.ts'
import { submitWork } from './submit-work.ts'

type ApplyToRoute = typeof contract.challenges.applyTo

/** Applies to a challenge on behalf of a team; only its chef can. */
export function applyToChallenge(
  ctx: AuthenticatedContext,
  input: ParsedInput<ApplyToRoute>,
): Promise<Output<ApplyToRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    const ids = { userId: ctx.user.id, teamId: input.teamId, challengeId: input.id }
    const { user, team, challenge } = await lockApplication(tx, ids)
    const { id } = assertActive(user)
    if (!team) throw new AppError(appErrors.teamMissing)
    const work = { ...input, notes: input.applicationNotes, canSubmit: team.ownerId === id }
    return submitWork(tx, ctx, { team, challenge }, work)
  })
}
