import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam } from '../teams/commands.ts'
import { handIn } from './hand-in.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type Apply = typeof contract.challenges.applyTo

/** Applies to a challenge on behalf of a team; only its chef can. */
export function applyToChallenge(ctx: MemberContext, input: Parsed<Apply>): Promise<Output<Apply>> {
  return inTransaction(ctx.db, async (tx) => {
    const chef = await lockActiveUser(tx, ctx.user.id, 'share')
    const team = await lockTeam(tx, input.teamId)
    if (!team) throw new AppError(appErrors.teamMissing)
    return handIn(tx, ctx, team, {
      ...input,
      challengeId: input.id,
      notes: input.applicationNotes,
      canSubmit: team.ownerId === chef.id,
    })
  })
}
