import { appErrors, type Parsed, withMessage, whyCannotApply, type contract } from '@community/contract'
import type { Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { insertSubmission } from '../submissions/commands.ts'
import { viewSubmission } from '../submissions/views.ts'
import type { LockedTeam } from '../teams/commands.ts'
import { fileAddress, keyOfAddress } from '../uploads/file-address.ts'
import { attachUpload } from '../uploads/commands.ts'
import { countSubmissionIn, lockChallenge, readApplicationFacts } from './commands.ts'

type Work = Pick<Parsed<typeof contract.challenges.applyTo>, 'type' | 'content'>

export interface HandIn extends Work {
  challengeId: string
  notes: string
  /** For an application: the caller is the chef; for a project submission: a member. */
  canSubmit: boolean
}

/**
 * Submits work for a team that the transaction has locked. All applications to a challenge wait for its lock: slots, members and the
 * deadline are checked under it, by the database's clock.
 */
export async function handIn(tx: Tx, ctx: MemberContext, team: LockedTeam, wanted: HandIn) {
  const challenge = await lockChallenge(tx, wanted.challengeId)
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  const { now, taken, isMemberElsewhere } = await readApplicationFacts(tx, team.id, challenge.id)
  const applicant = { canSubmit: wanted.canSubmit, isTeamActive: team.isActive, usedSlots: taken }
  throwIf(whyCannotApply(challenge, applicant, now))
  if (isMemberElsewhere) throw new AppError(appliedElsewhere(challenge.title))

  const submissionId = await insertSubmission(tx, {
    ...(await workOf(tx, ctx, wanted)),
    challengeId: challenge.id,
    teamId: team.id,
    submittedBy: ctx.user.id,
    notes: wanted.notes,
  })
  await countSubmissionIn(tx, challenge.id)
  return { submission: await viewSubmission(tx, submissionId, ctx.user) }
}

/** Names the challenge, but not the member. */
export const appliedElsewhere = (title: string) =>
  withMessage(
    appErrors.memberAlreadyApplied,
    `A member of this team has already applied to “${title}” with another team`,
  )

/** A link as given, or the caller's own unused upload, with the file data of its row rather than the input's. */
async function workOf(tx: Tx, { deps, user }: MemberContext, { type, content }: Work) {
  if (type === 'link') return { type, content, uploadId: null }
  const key = keyOfAddress(deps.config.appUrl, content)
  const upload = key === null ? undefined : await attachUpload(tx, key, user.id)
  if (!upload) throw new AppError(appErrors.fileMissing)
  return { type, content: fileAddress(deps.config.appUrl, upload), uploadId: upload.id }
}
