import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmission } from './queries.ts'
import { canRead, toSubmission } from './views.ts'

/** Throws `submissionMissing` if the caller may not read it. */
export const getSubmission: UseCase<typeof contract.submissions.get> = async (ctx, { id }) => {
  const { db, user } = ctx
  const row = await findSubmission(db, id, user)
  if (!row || !canRead(row, user)) throw new AppError(appErrors.submissionMissing)
  return { submission: toSubmission(row, ctx) }
}
