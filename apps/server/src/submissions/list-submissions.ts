import type { contract, Output, Parsed } from '@community/contract'
import type { Reader } from '@community/db'
import type { MemberContext, VisitorContext } from '../context.ts'
import { searching } from '../search/search-limit.ts'
import { findPending, findSubmissions, findWorks } from './queries.ts'
import { pageOfSubmissions } from './views.ts'

type Submissions = typeof contract.submissions

/** All submissions, for administrators: sorted and filtered by status, team, challenge or name. */
export const listSubmissions = async (
  ctx: MemberContext,
  input: Parsed<Submissions['list']>,
): Promise<Output<Submissions['list']>> => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findSubmissions(db, { ...input, search }, user.id)
  return pageOfSubmissions(await searching(ctx, input.search, find), input, user)
}

/** Pending submissions for administrators, oldest first. */
export const listPending = async (
  { db, user }: MemberContext,
  input: Parsed<Submissions['pending']>,
): Promise<Output<Submissions['pending']>> => pageOfSubmissions(await findPending(db, input, user.id), input, user)

/** Approved submissions, for everyone. */
export const listWorks = async (
  ctx: VisitorContext,
  input: Parsed<Submissions['approved']>,
): Promise<Output<Submissions['approved']>> => {
  const { user } = ctx
  const find = (db: Reader, search: string) => findWorks(db, { ...input, search }, user?.id ?? null)
  return pageOfSubmissions(await searching(ctx, input.search, find), input, user)
}
