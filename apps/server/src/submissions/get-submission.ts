import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmission } from './queries.ts'
import { canRead, toSubmission } from './views.ts'

type GetRoute = typeof contract.submissions.get

/** Throws `submissionMissing` if the caller may not read it. */
export async function getSubmission(ctx: Context, { id }: ParsedInput<GetRoute>): Promise<Output<GetRoute>> {
  const { db, user } = ctx
  const row = await findSubmission(db, id, user)
  if (!row || !canRead(row, user)) throw new AppError(appErrors.submissionMissing)
  return { submission: toSubmission(row, ctx) }
}
