import type { contract } from '@community/contract'
import type { Reader } from '@community/db'
import type { UseCase } from '../context.ts'
import { runSearch } from '../search/search-limit.ts'
import { findPending, findSubmissions, findWorks } from './queries.ts'
import { toSubmissionPage } from './views.ts'

/** All submissions, for administrators: sorted and filtered by status, team, challenge or name. */
export const listSubmissions: UseCase<typeof contract.submissions.list> = async (ctx, input) => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findSubmissions(db, { ...input, search }, user.id)
  return toSubmissionPage(await runSearch(ctx, input.search, find), input, ctx)
}

/** Pending submissions for administrators, the longest waiting first. */
export const listPending: UseCase<typeof contract.submissions.pending> = async (ctx, input) =>
  toSubmissionPage(await findPending(ctx.db, input, ctx.user.id), input, ctx)

/** Approved submissions, for everyone. */
export const listWorks: UseCase<typeof contract.submissions.approved> = async (ctx, input) => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findWorks(db, { ...input, search }, user?.id ?? null)
  return toSubmissionPage(await runSearch(ctx, input.search, find), input, ctx)
}
