import type { Pagination, Submission } from '@community/contract'
import type { Reader } from '@community/db'
import type { AuthenticatedContext, Caller, Context } from '../context.ts'
import { type PageInput, toPagination } from '../pagination/keyset.ts'
import { toPreview } from '../previews/preview.ts'
import { currentFileUrl } from '../uploads/file-url.ts'
import { findSubmission } from './queries.ts'
import type { SubmissionRow, SubmissionRows } from './page-queries.ts'

/** Approved submissions are public; the others are for the team's members and administrators. */
export const canRead = (row: SubmissionRow, viewer: Caller | null): boolean =>
  row.status === 'approved' || canSeeAll(row, viewer)

const canSeeAll = (row: SubmissionRow, viewer: Caller | null): boolean => row.isInsider || viewer?.role === 'admin'

const fileInfoOf = ({ originalName, fileSize, mimeType }: NonNullable<SubmissionRow['file']>) => ({
  originalName,
  fileSize,
  mimeType,
})

type ViewContext = Pick<Context, 'deps' | 'user'>

/** A submission for the caller: only the team's members and administrators see the submitter's email and the notes. */
export function toSubmission(row: SubmissionRow, { deps, user }: ViewContext): Submission {
  const seesAll = canSeeAll(row, user)
  // A link may lead to a product like this one; only an upload is a file of ours.
  const content = row.file ? currentFileUrl(deps.config.appUrl, row.content) : row.content
  const { submittedBy, challenge, team } = row
  return {
    id: row.id,
    _id: row.id,
    challengeId: { ...challenge, _id: challenge.id },
    teamId: { ...team, _id: team.id },
    submittedBy: submittedBy && {
      id: submittedBy.id,
      name: submittedBy.name,
      ...(seesAll && { email: submittedBy.email }),
    },
    type: row.type,
    content,
    fileInfo: row.file && fileInfoOf(row.file),
    preview: row.file?.preview ? toPreview(row.file.preview, content) : null,
    metadata: { submissionNotes: seesAll ? row.notes : '' },
    status: row.status,
    score: row.score,
    points: row.points,
    feedback: row.feedback,
    evaluatedBy: row.evaluatedBy,
    createdAt: row.createdAt.toISOString(),
    resubmittedAt: seesAll ? (row.resubmittedAt?.toISOString() ?? null) : null,
    updatedAt: row.updatedAt.toISOString(),
    evaluatedAt: row.evaluatedAt?.toISOString() ?? null,
    ...(row.canEvaluate !== null && { canEvaluate: row.canEvaluate }),
  }
}

/** The API representation of a page of submissions. */
export const toSubmissionPage = (
  page: SubmissionRows,
  paging: PageInput,
  ctx: ViewContext,
): { submissions: Submission[]; pagination: Pagination } => ({
  submissions: page.rows.map((row) => toSubmission(row, ctx)),
  pagination: toPagination(paging, page),
})

/** A submission read in the transaction that changed it. */
export async function loadSubmission(db: Reader, id: string, ctx: AuthenticatedContext): Promise<Submission> {
  const row = await findSubmission(db, id, ctx.user)
  if (!row) throw new Error(`submission ${id} is missing in its own transaction`)
  return toSubmission(row, ctx)
}
