import { type contract, appErrors, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { readDatabaseClock, lockChallenge, updateChallengeRow } from '../challenges/commands.ts'
import { toChallenge } from '../challenges/views.ts'
import type { AuthenticatedContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { notifyChallengeChange } from '../notifications/notify-challenge.ts'
import { emitIfOpenedOrClosed } from '../webhooks/emit-challenge.ts'
import { audit } from './audit.ts'
import { findMostSubmissionsOfTeam } from './challenge-queries.ts'
import { lockAdmin } from '../users/lock-user.ts'

type AdminRoutes = typeof contract.admin
type ChallengeChanges = Omit<ParsedInput<AdminRoutes['updateChallenge']>, 'id' | 'password'>

async function lockChallengeAsAdmin(tx: Tx, ctx: AuthenticatedContext, id: string) {
  await lockAdmin(tx, ctx)
  const challenge = await lockChallenge(tx, id)
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  return challenge
}

async function assertChangeAllowed(
  tx: Tx,
  id: string,
  before: { deadline: Date; maxSubmissions: number },
  changes: ChallengeChanges,
) {
  const { deadline, maxSubmissions = before.maxSubmissions } = changes
  // A past deadline may stay unchanged while other fields change.
  const isMoved = deadline !== undefined && Date.parse(deadline) !== before.deadline.getTime()
  if (isMoved && Date.parse(deadline) <= (await readDatabaseClock(tx)).getTime())
    throw new AppError(appErrors.deadlinePast)
  if (maxSubmissions < before.maxSubmissions && maxSubmissions < (await findMostSubmissionsOfTeam(tx, id)))
    throw new AppError(appErrors.moreAlreadySubmitted)
}

function changeChallenge(ctx: AuthenticatedContext, action: string, id: string, changes: ChallengeChanges) {
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockChallengeAsAdmin(tx, ctx, id)
    await assertChangeAllowed(tx, id, before, changes)
    const challenge = await updateChallengeRow(tx, before, changes)
    await audit(tx, ctx, {
      action,
      targetId: id,
      details: { title: before.title, changed: changes },
    })
    const change = await emitIfOpenedOrClosed(tx, ctx.deps, before, challenge)
    await notifyChallengeChange(tx, ctx, before, challenge, change)
    return { challenge: toChallenge(challenge) }
  })
}

export const updateChallenge: UseCase<typeof contract.admin.updateChallenge> = (
  ctx,
  { id, password: _password, ...changes },
) => changeChallenge(ctx, 'admin.updateChallenge', id, changes)

export const activateChallenge: UseCase<typeof contract.admin.activateChallenge> = (ctx, { id }) =>
  changeChallenge(ctx, 'admin.activateChallenge', id, { isActive: true })

export const deactivateChallenge: UseCase<typeof contract.admin.deactivateChallenge> = (ctx, { id }) =>
  changeChallenge(ctx, 'admin.deactivateChallenge', id, { isActive: false })
