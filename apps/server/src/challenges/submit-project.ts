import { type contract, appErrors, nameKey, type Output, type ParsedInput } from '@community/contract'
import { inTransaction, prepared, type Tx } from '@community/db'
import { teamMembers, teams } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam, findMemberships } from '../teams/commands.ts'
import { lockChallenge } from './commands.ts'
import { submitWork } from './submit-work.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type SubmitRoute = typeof contract.challenges.submit

const ownTeamByName = prepared('challenges.own-team', (db) => {
  const membershipCondition = and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, sql.placeholder('userId')))
  return db
    .select({ id: teams.id })
    .from(teams)
    .innerJoin(teamMembers, membershipCondition)
    .where(eq(teams.nameKey, sql.placeholder('nameKey')))
})

/** Locks the caller's own team with this name; throws if they are not a member. */
async function lockOwnTeam(tx: Tx, userId: string, name: string) {
  const [match] = await ownTeamByName(tx, { userId, nameKey: nameKey(name) })
  const team = match && (await lockTeam(tx, match.id))
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
    const challenge = await lockChallenge(tx, input.id)
    return submitWork(tx, ctx, { team, challenge }, { ...input, notes: input.submissionNotes, canSubmit: true })
  })
}
