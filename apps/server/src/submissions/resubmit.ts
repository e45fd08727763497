import { type contract, appErrors, whyCannotApply, whyCannotResubmit } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { appliedWithOtherTeamError } from '../challenges/submit-work.ts'
import { readApplicationState } from '../challenges/commands.ts'
import { AppError, throwIf } from '../errors.ts'
import { findMemberships } from '../teams/commands.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { assertWork, lockUserAndSubmission } from './lock-user-and-submission.ts'
import { resetToPending, replaceSnapshot } from './commands.ts'
import { loadSubmission } from './views.ts'
import { assertActive } from '../users/lock-user.ts'

/** Resubmits a rejected submission unchanged, while the challenge is open and the team has a free slot. Throws for non-members. */
export const resubmit: UseCase<typeof contract.submissions.setStatus> = (ctx, { id }) =>
  inTransaction(ctx.db, async (tx) => {
    const locked = await lockUserAndSubmission(tx, ctx.user.id, id)
    const caller = assertActive(locked.user)
    const { team, challenge, submission } = assertWork(locked.work)
    const member = (await findMemberships(tx, team.id)).find(({ userId }) => userId === caller.id)
    if (!member) throw new AppError(appErrors.submissionMissing)
    throwIf(whyCannotResubmit(submission, { id: caller.id, isChef: member.isChef }))
    const { now, usedSlots, hasMemberAppliedElsewhere } = await readApplicationState(tx, team.id, challenge.id)
    // whyCannotResubmit has checked that the caller may submit.
    throwIf(whyCannotApply(challenge, { canSubmit: true, isTeamActive: team.isActive, usedSlots }, now))
    if (hasMemberAppliedElsewhere) throw new AppError(appliedWithOtherTeamError(challenge.title))
    await replaceSnapshot(tx, id, team.id)
    await resetToPending(tx, id, { isResubmission: true })
    await emitSubmission(tx, 'submission.reset', submission)
    return { submission: await loadSubmission(tx, id, ctx) }
  })
