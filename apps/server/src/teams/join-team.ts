import { type contract, appErrors, limits, whyCannotJoin } from '@community/contract'
import { inLockedTransaction, type LockingTx, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { consumeNestedRateLimits } from '../http/nested-rate-limits.ts'
import { consumeRateLimits } from '../http/rate-limits.ts'
import { addMember, findMemberships } from './commands.ts'
import { lockUserAndTeam } from './lock-user-and-team.ts'
import { findMembers, findRolesNeeded } from './queries.ts'
import { toTeam } from './views.ts'
import { notifyJoin } from '../notifications/notify-team.ts'
import { emitMembership } from '../webhooks/emit.ts'
import { assertActive } from '../users/lock-user.ts'

const { perDay, perTeamAndHour } = limits.TEAM_JOINS
/** A loop of joins and leaves would flood the team's members. In the transaction of the join: a rejected one does not count. */
async function consumeJoins(tx: Tx, userId: string, teamId: string) {
  const ofDay = { key: `joins:${userId}`, max: perDay, seconds: limits.DAY }
  const ofTeam = { key: `joins:${userId}:${teamId}`, max: perTeamAndHour, seconds: limits.HOUR }
  // Only a rejection takes the slots one by one, to throw the cooldown of the exceeded limit.
  if (!(await consumeNestedRateLimits(tx, [ofTeam, ofDay]))) await consumeRateLimits(tx, [ofDay, ofTeam])
}

/** Adds the caller to a team. All checks run under the team's lock, so that two callers cannot take the last seat. */
export const joinTeam: UseCase<typeof contract.teams.join> = (ctx, input) => {
  // PostgreSQL starts the reads after it granted the lock: they see what was committed meanwhile.
  const lock = (tx: LockingTx) =>
    Promise.all([
      lockUserAndTeam(tx, ctx.user.id, input.id),
      findRolesNeeded(tx, [input.id]),
      findMemberships(tx, input.id),
    ])
  return inLockedTransaction(ctx.db, lock, async (tx, [{ user: caller, team }, rolesNeeded, members]) => {
    const user = assertActive(caller)
    if (!team) throw new AppError(appErrors.teamMissing)
    const isMember = members.some(({ userId }) => userId === user.id)
    throwIf(whyCannotJoin({ ...team, rolesNeeded }, { role: user.role, isMember }, input.role.id))

    const { id: teamId, contact: _sameAsEmail, role, ...form } = input
    // In this order: the read and the notification see the new member.
    const [added, membersAfter] = await Promise.all([
      addMember(tx, { ...form, teamId, userId: user.id, roleId: role.id }),
      findMembers(tx, [teamId]),
      notifyJoin(tx, team, user.id),
      consumeJoins(tx, user.id, teamId),
    ])
    if (added.hasListeners) await emitMembership(tx, 'team.member.joined', team, user.id)
    return { team: toTeam(added.team, ctx.deps, rolesNeeded, membersAfter) }
  })
}
