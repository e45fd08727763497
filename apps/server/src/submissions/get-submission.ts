import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmission } from './queries.ts'
import { mayRead, submissionOf } from './views.ts'

type Get = typeof contract.submissions.get

/** Throws `submissionMissing` if the caller may not read it. */
export async function getSubmission({ db, user }: VisitorContext, { id }: Parsed<Get>): Promise<Output<Get>> {
  const row = await findSubmission(db, id, user?.id ?? null)
  if (!row || !mayRead(row, user)) throw new AppError(appErrors.submissionMissing)
  return { submission: submissionOf(row, user) }
}
