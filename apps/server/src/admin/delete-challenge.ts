import { appErrors, type contract } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { lockChallenge } from '../challenges/commands.ts'
import type { Deps, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { enqueue, wakeWorkers } from '../jobs/queue.ts'
import { notifyChallengeDeleted } from '../notifications/notify-work.ts'
import { deleteChallengeSubmissions } from '../submissions/deletion-commands.ts'
import { recalculateStandings } from '../submissions/standing-commands.ts'
import { queueRemoval, removeObjects } from '../uploads/remove-objects.ts'
import { lockAdmin } from '../users/lock-user.ts'
import { emitIfOpenedOrClosed } from '../webhooks/emit-challenge.ts'
import { audit } from './audit.ts'
import {
  deleteChallengeRow,
  detachLedgerEntries,
  hideChallenge,
  lockHiddenChallenge,
  lockNextApplyingTeams,
} from './challenge-commands.ts'
import { countApplyingTeams, findApplyingTeams, hasSubmissions } from './challenge-queries.ts'

/** The kind of the jobs that delete the rest of a large challenge. */
export const DELETE_CHALLENGE_JOB = 'delete-challenge'
export interface DeleteChallengePayload {
  id: string
  /** The administrator who deleted it. */
  actorId: string
}

interface Batch {
  challenge: { id: string; title: string }
  teams: { id: string; name: string }[]
  actorId: string
}

/** Deletes the submissions of locked teams for a locked challenge, and the challenge if nothing else refers to it. */
async function deleteBatch(tx: Tx, deps: Pick<Deps, 'secret'>, { challenge, teams: locked, actorId }: Batch) {
  const { id } = challenge
  const lockedIds = locked.map((team) => team.id)
  const applications = await findApplyingTeams(tx, id, lockedIds)
  const teamIds = applications.map(({ teamId }) => teamId)
  // While the locks were waited for, another transaction may have deleted the work of some.
  const teams = locked.filter((team) => teamIds.includes(team.id))
  const teamsToRecalculate = applications.filter(({ hasPoints }) => hasPoints).map(({ teamId }) => teamId)
  const removedKeys = await deleteChallengeSubmissions(tx, id, teamIds)
  const changes = await recalculateStandings(tx, teamsToRecalculate, { challengeId: id, reason: 'removal' })
  const pointsLost = new Map(changes.map(({ teamId, delta }) => [teamId, -delta]))
  await notifyChallengeDeleted(tx, challenge, { teams, pointsLost, actorId })
  await queueRemoval(tx, deps, removedKeys)
  if (await hasSubmissions(tx, id)) return { isDone: false, removedKeys }
  const hasMoreEntries = await detachLedgerEntries(tx, id)
  if (!hasMoreEntries) await deleteChallengeRow(tx, id)
  return { isDone: !hasMoreEntries, removedKeys }
}

/**
 * Deletes a challenge with its submissions, files and awarded points, and notifies the teams that lose them. Of a large challenge it
 * deletes the first submissions and hides the rest, which a job deletes.
 */
export const deleteChallenge: UseCase<typeof contract.admin.deleteChallenge> = async (ctx, { id }) => {
  const { deps, user } = ctx
  const { isDone, removedKeys } = await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    // Teams are locked before the challenge (docs/architecture.md, Lock order).
    const teams = await lockNextApplyingTeams(tx, id)
    const challenge = await lockChallenge(tx, id)
    if (!challenge) throw new AppError(appErrors.challengeMissing)
    await audit(tx, ctx, {
      action: 'admin.deleteChallenge',
      targetId: id,
      details: { title: challenge.title, teams: await countApplyingTeams(tx, id) },
    })
    await emitIfOpenedOrClosed(tx, deps, challenge, { ...challenge, isActive: false })
    const batch = await deleteBatch(tx, deps, { challenge, teams, actorId: user.id })
    if (!batch.isDone) {
      await hideChallenge(tx, id)
      const payload: DeleteChallengePayload = { id, actorId: user.id }
      await enqueue(tx, deps, { kind: DELETE_CHALLENGE_JOB, payload })
    }
    return batch
  })
  if (!isDone) wakeWorkers()
  await removeObjects(deps, removedKeys)
  return {}
}

/** Deletes the next batch of a challenge that `deleteChallenge` hid; true if more is left. */
export async function deleteNextBatch(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  { id, actorId }: DeleteChallengePayload,
): Promise<boolean> {
  const teams = await lockNextApplyingTeams(tx, id)
  const challenge = await lockHiddenChallenge(tx, id)
  if (!challenge) return false
  const { isDone } = await deleteBatch(tx, deps, { challenge, teams, actorId })
  return !isDone
}
