import { appErrors, type contract, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { lockApplication, readApplicationState } from '../challenges/commands.ts'
import { findChallenge } from '../challenges/queries.ts'
import type { AuthenticatedContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findMemberships } from '../teams/commands.ts'
import { assertActive } from '../users/lock-user.ts'
import { findRemindedTeams } from './queries.ts'
import { deleteReminder, hasApplied, insertReminder } from './reminder-commands.ts'

type ReminderInput = ParsedInput<typeof contract.challenges.remind>

export const listReminders: UseCase<typeof contract.challenges.reminders> = async ({ db, user }, { id }) => {
  const challenge = await findChallenge(db, id)
  if (!challenge || (!challenge.isActive && user.role !== 'admin')) throw new AppError(appErrors.challengeMissing)
  return { teamIds: await findRemindedTeams(db, id, user.id) }
}

async function lockAsMember(tx: Tx, { user }: AuthenticatedContext, { id, teamId }: ReminderInput) {
  const locked = await lockApplication(tx, { userId: user.id, teamId, challengeId: id })
  const caller = assertActive(locked.user)
  if (!locked.team) throw new AppError({ ...appErrors.teamMissing, path: 'teamId' })
  if (!locked.challenge) throw new AppError(appErrors.challengeMissing)
  const isMember = (await findMemberships(tx, teamId)).some(({ userId }) => userId === caller.id)
  if (!isMember) throw new AppError(appErrors.notAMember)
  return { challenge: locked.challenge, team: locked.team }
}

/** Adds reminders of a challenge’s deadline for one of the caller’s teams. A second request changes nothing. */
export const remind: UseCase<typeof contract.challenges.remind> = (ctx, input) =>
  inTransaction(ctx.db, async (tx) => {
    const { challenge, team } = await lockAsMember(tx, ctx, input)
    const [teamId, challengeId] = [team.id, challenge.id]
    if (!challenge.isActive) throw new AppError(appErrors.challengeInactive)
    const { now } = await readApplicationState(tx, teamId, challengeId)
    if (challenge.deadline <= now) throw new AppError(appErrors.challengeExpired)
    if (!team.isActive) throw new AppError(appErrors.teamInactive)
    if (await hasApplied(tx, teamId, challengeId)) throw new AppError(appErrors.alreadyApplied)
    await insertReminder(tx, { challengeId, teamId, createdBy: ctx.user.id })
    return {}
  })

export const stopReminding: UseCase<typeof contract.challenges.stopReminding> = (ctx, input) =>
  inTransaction(ctx.db, async (tx) => {
    const { challenge, team } = await lockAsMember(tx, ctx, input)
    await deleteReminder(tx, { challengeId: challenge.id, teamId: team.id })
    return {}
  })
