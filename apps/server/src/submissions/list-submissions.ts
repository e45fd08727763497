import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext, VisitorContext } from '../context.ts'
import { findPending, findSubmissions, findWorks } from './reading-store.ts'
import { pageOfSubmissions } from './views.ts'

type Submissions = typeof contract.submissions

/** Every submission, for administrators: in the order they ask for, by status, team, challenge or name. */
export const listSubmissions = async (
  { db, user }: MemberContext,
  input: Parsed<Submissions['list']>,
): Promise<Output<Submissions['list']>> => pageOfSubmissions(await findSubmissions(db, input, user.id), input, user)

/** What waits for a verdict, for administrators: the longest wait first. */
export const listPending = async (
  { db, user }: MemberContext,
  input: Parsed<Submissions['pending']>,
): Promise<Output<Submissions['pending']>> => pageOfSubmissions(await findPending(db, input, user.id), input, user)

/** Community works: approved submissions, for everyone. */
export const listWorks = async (
  { db, user }: VisitorContext,
  input: Parsed<Submissions['approved']>,
): Promise<Output<Submissions['approved']>> =>
  pageOfSubmissions(await findWorks(db, input, user?.id ?? null), input, user)
