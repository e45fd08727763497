import { appErrors, type ParsedInput, withMessage, whyCannotApply, type contract } from '@community/contract'
import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { enqueuePreview } from '../previews/commands.ts'
import { isPreviewed } from '../previews/preview.ts'
import { insertSubmission } from '../submissions/commands.ts'
import { loadSubmission } from '../submissions/views.ts'
import type { LockedTeam } from '../teams/commands.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { createFileUrl, parseFileUrl } from '../uploads/file-url.ts'
import { attachUpload } from '../uploads/commands.ts'
import { incrementSubmissionCount, lockChallenge, readApplicationState } from './commands.ts'

type WorkInput = Pick<ParsedInput<typeof contract.challenges.applyTo>, 'type' | 'content'>

interface WorkSubmission extends WorkInput {
  challengeId: string
  notes: string
  /** For an application: the caller is the chef; for a project submission: a member. */
  canSubmit: boolean
}

/**
 * Submits work for a team that the transaction has locked. All applications to a challenge wait for its lock: slots, members and the
 * deadline are checked under it, by the database's clock.
 */
export async function submitWork(tx: Tx, ctx: AuthenticatedContext, team: LockedTeam, input: WorkSubmission) {
  const challenge = await lockChallenge(tx, input.challengeId)
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  const { now, usedSlots, hasMemberInOtherTeam } = await readApplicationState(tx, team.id, challenge.id)
  const applicant = { canSubmit: input.canSubmit, isTeamActive: team.isActive, usedSlots: usedSlots }
  throwIf(whyCannotApply(challenge, applicant, now))
  if (hasMemberInOtherTeam) throw new AppError(appliedWithOtherTeamError(challenge.title))

  const submissionId = await insertSubmission(tx, {
    ...(await resolveWork(tx, ctx, input)),
    challengeId: challenge.id,
    teamId: team.id,
    submittedBy: ctx.user.id,
    notes: input.notes,
  })
  await Promise.all([
    incrementSubmissionCount(tx, challenge.id),
    emitSubmission(tx, 'submission.created', { id: submissionId, teamId: team.id, challengeId: challenge.id }),
  ])
  return { submission: await loadSubmission(tx, submissionId, ctx.user) }
}

/** Names the challenge, but not the member. */
export const appliedWithOtherTeamError = (title: string) =>
  withMessage(
    appErrors.memberAlreadyApplied,
    'A member of this team has already applied to “{title}” with another team',
    { title },
  )

/** A link as given, or the caller's own unused upload, with the file data of its row rather than the input's. */
async function resolveWork(tx: Tx, { deps, user }: AuthenticatedContext, { type, content }: WorkInput) {
  if (type === 'link') return { type, content, uploadId: null }
  const key = parseFileUrl(deps.config.appUrl, content)
  const upload = key === null ? undefined : await attachUpload(tx, key, user.id)
  if (!upload) throw new AppError(appErrors.fileMissing)
  if (isPreviewed(upload.mimeType)) await enqueuePreview(tx, deps, upload)
  return { type, content: createFileUrl(deps.config.appUrl, upload), uploadId: upload.id }
}
