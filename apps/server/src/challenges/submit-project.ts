import { type contract, appErrors, nameKey, type Output, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam, findMemberships } from '../teams/commands.ts'
import { lockChallenge, readApplicationState } from './commands.ts'
import { findOwnTeam } from './queries.ts'
import { submitWork } from './submit-work.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type SubmitRoute = typeof contract.challenges.submit

/** Locks the caller's own team with this name; throws if they are not a member. */
async function lockOwnTeam(tx: Tx, userId: string, name: string) {
  const teamId = await findOwnTeam(tx, userId, nameKey(name))
  const team = teamId === undefined ? undefined : await lockTeam(tx, teamId)
  // They may have left before the lock was granted.
  const isMember = team && (await findMemberships(tx, team.id)).some((member) => member.userId === userId)
  if (!isMember) throw new AppError({ ...appErrors.teamMissing, path: 'teamName' })
  return team
}

/** Submits a project for the named team, by any of its members. */
export function submitProject(
  ctx: AuthenticatedContext,
  input: ParsedInput<SubmitRoute>,
): Promise<Output<SubmitRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockActiveUser(tx, ctx.user.id, 'share')
    const team = await lockOwnTeam(tx, ctx.user.id, input.teamName)
    // One round trip, as in `applyToChallenge`.
    const [challenge, state] = await Promise.all([
      lockChallenge(tx, input.id),
      readApplicationState(tx, team.id, input.id),
    ])
    return submitWork(tx, ctx, { team, challenge, state }, { ...input, notes: input.submissionNotes, canSubmit: true })
  })
}
