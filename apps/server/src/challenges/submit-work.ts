import { randomUUID } from 'node:crypto'
import { appErrors, type ParsedInput, withMessage, whyCannotApply, type contract } from '@community/contract'
import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { enqueuePreview } from '../previews/commands.ts'
import { isPreviewed } from '../previews/preview.ts'
import { insertSubmission, WITHOUT_VERDICT } from '../submissions/commands.ts'
import { toSubmission } from '../submissions/views.ts'
import type { LockedTeam } from '../teams/commands.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { createFileUrl, parseFileUrl } from '../uploads/file-url.ts'
import { attachUpload } from '../uploads/commands.ts'
import type { UploadRow } from '../uploads/queries.ts'
import type { ApplicationState, LockedChallenge } from './commands.ts'

type WorkInput = Pick<ParsedInput<typeof contract.challenges.applyTo>, 'type' | 'content'>

interface WorkSubmission extends WorkInput {
  notes: string
  /** For an application: the caller is the chef; for a project submission: a member. */
  canSubmit: boolean
}

/**
 * Submits work for a team. The caller holds the challenge's lock, so that its slots cannot change meanwhile. The deadline is compared with
 * the database's clock.
 */
export async function submitWork(
  tx: Tx,
  ctx: AuthenticatedContext,
  { team, challenge, state }: { team: LockedTeam; challenge: LockedChallenge | undefined; state: ApplicationState },
  input: WorkSubmission,
) {
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  const { now, usedSlots, hasMemberAppliedElsewhere, hasListeners } = state
  const applicant = { canSubmit: input.canSubmit, isTeamActive: team.isActive, usedSlots }
  throwIf(whyCannotApply(challenge, applicant, now))
  if (hasMemberAppliedElsewhere) throw new AppError(appliedWithOtherTeamError(challenge.title))

  const { deps, user } = ctx
  const upload = input.type === 'upload' ? await claimUpload(tx, ctx, input.content) : null
  const id = randomUUID()
  const { type, notes } = input
  // The name of the stored file rather than the input's.
  const content = upload ? createFileUrl(deps.config.appUrl, upload) : input.content
  const [times] = await Promise.all([
    insertSubmission(tx, {
      id,
      challengeId: challenge.id,
      teamId: team.id,
      submittedBy: user.id,
      type,
      content,
      uploadId: upload?.id ?? null,
      notes,
    }),
    hasListeners && emitSubmission(tx, 'submission.created', { id, teamId: team.id, challengeId: challenge.id }),
    upload && isPreviewed(upload.mimeType) && enqueuePreview(tx, deps, upload),
  ])
  // Built here: reading it back would join seven tables.
  const row = {
    ...WITHOUT_VERDICT,
    ...times,
    id,
    challenge: { id: challenge.id, title: challenge.title, points: challenge.points },
    team: { id: team.id, name: team.name },
    submittedBy: user,
    type,
    content,
    notes,
    file: toFile(upload),
    isInsider: true,
    canEvaluate: null,
    resubmittedAt: null,
  }
  return { submission: toSubmission(row, ctx) }
}

const toFile = (upload: UploadRow | null) =>
  upload && { originalName: upload.originalName, fileSize: upload.size, mimeType: upload.mimeType, preview: null }

/** Names the challenge, but not the member. */
export const appliedWithOtherTeamError = (title: string) =>
  withMessage(
    appErrors.memberAlreadyApplied,
    'A member of this team has already applied to “{title}” with another team',
    { title },
  )

/** Marks the caller's own unused upload as used; throws `fileMissing` for any other URL. */
async function claimUpload(tx: Tx, { deps, user }: AuthenticatedContext, url: string) {
  const key = parseFileUrl(deps.config.appUrl, url)
  const upload = key === null ? undefined : await attachUpload(tx, key, user.id)
  if (!upload) throw new AppError(appErrors.fileMissing)
  return upload
}
