import type { contract, Output, ParsedInput } from '@community/contract'
import type { Reader } from '@community/db'
import type { AuthenticatedContext, Context } from '../context.ts'
import { runSearch } from '../search/search-limit.ts'
import { findPending, findSubmissions, findWorks } from './queries.ts'
import { toSubmissionPage } from './views.ts'

type SubmissionsRoutes = typeof contract.submissions

/** All submissions, for administrators: sorted and filtered by status, team, challenge or name. */
export const listSubmissions = async (
  ctx: AuthenticatedContext,
  input: ParsedInput<SubmissionsRoutes['list']>,
): Promise<Output<SubmissionsRoutes['list']>> => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findSubmissions(db, { ...input, search }, user.id)
  return toSubmissionPage(await runSearch(ctx, input.search, find), input, ctx)
}

/** Pending submissions for administrators, the longest waiting first. */
export const listPending = async (
  ctx: AuthenticatedContext,
  input: ParsedInput<SubmissionsRoutes['pending']>,
): Promise<Output<SubmissionsRoutes['pending']>> =>
  toSubmissionPage(await findPending(ctx.db, input, ctx.user.id), input, ctx)

/** Approved submissions, for everyone. */
export const listWorks = async (
  ctx: Context,
  input: ParsedInput<SubmissionsRoutes['approved']>,
): Promise<Output<SubmissionsRoutes['approved']>> => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findWorks(db, { ...input, search }, user?.id ?? null)
  return toSubmissionPage(await runSearch(ctx, input.search, find), input, ctx)
}
