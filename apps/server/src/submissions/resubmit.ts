import {
  type contract,
  appErrors,
  type Output,
  type Parsed,
  whyCannotApply,
  whyCannotResubmit,
} from '@community/contract'
import { inTransaction } from '@community/db'
import { appliedElsewhere } from '../challenges/hand-in.ts'
import { readApplicationFacts } from '../challenges/commands.ts'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { membershipsOf } from '../teams/commands.ts'
import { lockSubmissionWithParents } from './lock-submission-with-parents.ts'
import { isSnapshotElsewhere, putBackToPending, renewSnapshot } from './commands.ts'
import { viewSubmission } from './views.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type SetStatus = typeof contract.submissions.setStatus

/** Resubmits a rejected submission unchanged, while the challenge is open and the team has a free slot. Throws for non-members. */
export function resubmit(ctx: MemberContext, { id }: Parsed<SetStatus>): Promise<Output<SetStatus>> {
  return inTransaction(ctx.db, async (tx) => {
    const caller = await lockActiveUser(tx, ctx.user.id, 'share')
    const { team, challenge, submission } = await lockSubmissionWithParents(tx, id)
    const member = (await membershipsOf(tx, team.id)).find(({ userId }) => userId === caller.id)
    if (!member) throw new AppError(appErrors.submissionMissing)
    throwIf(whyCannotResubmit(submission, { id: caller.id, isChef: member.isChef }))
    const { now, taken } = await readApplicationFacts(tx, team.id, challenge.id)
    throwIf(whyCannotApply(challenge, { canSubmit: true, isTeamActive: team.isActive, usedSlots: taken }, now))
    await renewSnapshot(tx, id, team.id)
    if (await isSnapshotElsewhere(tx, submission)) throw new AppError(appliedElsewhere(challenge.title))
    await putBackToPending(tx, id)
    return { submission: await viewSubmission(tx, id, ctx.user) }
  })
}
