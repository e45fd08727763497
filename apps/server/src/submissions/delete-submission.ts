import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { audit } from '../admin/audit.ts'
import { notifyWork } from '../notifications/notify-work.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { deleteSubmissionRow } from './deletion-commands.ts'
import { assertWork, lockUserAndSubmission } from './lock-user-and-submission.ts'
import { recalculateStanding, UNCHANGED } from './standing-commands.ts'
import { assertAdmin } from '../users/lock-user.ts'

/** Deletes a submission with its file and points. The password is already verified. */
export const deleteSubmission: UseCase<typeof contract.submissions.remove> = async (ctx, { id }) => {
  await deleteWithObjects(ctx, async (tx) => {
    const locked = await lockUserAndSubmission(tx, ctx.user.id, id)
    assertAdmin(locked.user)
    const work = assertWork(locked.work)
    const { teamId, challengeId, status } = work.submission
    // As the audit log shows a submission that still exists.
    const name = `${work.team.name} · ${work.challenge.title}`
    const deleted = await deleteSubmissionRow(tx, id)
    const { delta } =
      status === 'approved' ? await recalculateStanding(tx, { teamId, challengeId, reason: 'removal' }) : UNCHANGED
    await notifyWork(tx, 'submission.deleted', work, ctx.user.id)
    await audit(tx, ctx, {
      action: 'submissions.remove',
      targetId: id,
      details: { name, teamId, challengeId, status, delta },
    })
    return deleted
  })
  return {}
}
