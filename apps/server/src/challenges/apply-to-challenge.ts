import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam } from '../teams/commands.ts'
import { submitWork } from './submit-work.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type ApplyToRoute = typeof contract.challenges.applyTo

/** Applies to a challenge on behalf of a team; only its chef can. */
export function applyToChallenge(
  ctx: AuthenticatedContext,
  input: ParsedInput<ApplyToRoute>,
): Promise<Output<ApplyToRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    const chef = await lockActiveUser(tx, ctx.user.id, 'share')
    const team = await lockTeam(tx, input.teamId)
    if (!team) throw new AppError(appErrors.teamMissing)
    return submitWork(tx, ctx, team, {
      ...input,
      challengeId: input.id,
      notes: input.applicationNotes,
      canSubmit: team.ownerId === chef.id,
    })
  })
}
