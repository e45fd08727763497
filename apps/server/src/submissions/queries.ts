import type { contract, ParsedInput } from '@community/contract'
import { type LockingTx, prepared, type Reader } from '@community/db'
import { submissions } from '@community/db/schema'
import { and, eq, or, sql } from 'drizzle-orm'
import type { Caller } from '../context.ts'
import { readCountedTotal } from '../pagination/counts.ts'
import { type PageInput, preparePages, withTotal } from '../pagination/keyset.ts'
import type { ListOrder } from '../pagination/list-order.ts'
import { type PageSinceInput, updatedSinceCondition } from '../pagination/updated-since.ts'
import type { WithSearchKey } from '../search/search-limit.ts'
import { findSubmissionPage } from './filtered-queries.ts'
import {
  firstRowsWindow,
  insiderCondition,
  newest,
  ORDERS,
  selectPage,
  selectTotal,
  sinceCondition,
  type SubmissionRow,
  type SubmissionRows,
  type WorkSort,
} from './page-queries.ts'
import { searchAllNames, searchTeamsAndChallenges, type SubmissionFilter } from './search-queries.ts'
import { approvedCondition, pendingCondition } from './status-conditions.ts'

type AdminQuery = WithSearchKey<ParsedInput<typeof contract.submissions.list>>
type WorksQuery = WithSearchKey<ParsedInput<typeof contract.submissions.approved>>

const selectById = (db: Reader, forAdmin: boolean) =>
  selectPage(db, newest, eq(submissions.id, sql.placeholder('id')), firstRowsWindow, { forAdmin })
const rowOfId = prepared('submissions.by-id', (db) => selectById(db, false))
const rowOfIdForAdmin = prepared('submissions.by-id.admin', (db) => selectById(db, true))
export async function findSubmission(
  db: Reader | LockingTx,
  id: string,
  viewer: Pick<Caller, 'id' | 'role'> | null,
): Promise<SubmissionRow | undefined> {
  const findRow = viewer?.role === 'admin' ? rowOfIdForAdmin : rowOfId
  const [row] = await findRow(db, { id, limit: 1, viewerId: viewer?.id ?? null })
  return row
}

const prepareWorks = (sort: WorkSort) =>
  preparePages(`submissions.works.${sort}`, ORDERS[sort], (db, window) =>
    selectPage(db, ORDERS[sort], approvedCondition, window),
  )
const worksBySort = { newest: prepareWorks('newest'), oldest: prepareWorks('oldest'), highest: prepareWorks('highest') }

const changedSince = (time: string | undefined) =>
  time === undefined ? undefined : updatedSinceCondition(submissions.updatedAt, time)

/** A page of approved submissions; `search` matches the names of team and challenge. */
export async function findWorks(
  db: Reader,
  { search, sort, updatedSince, ...paging }: WorksQuery,
  viewerId: string | null,
): Promise<SubmissionRows> {
  if (search === '' && updatedSince === undefined)
    return withTotal(worksBySort[sort](db, paging, { viewerId }), readCountedTotal(db, 'submissions_approved'))
  const filter: SubmissionFilter = { status: 'approved', updatedSince: changedSince(updatedSince) }
  const found = search === '' ? undefined : await searchTeamsAndChallenges(db, search, filter)
  return findSubmissionPage(db, ORDERS[sort], { filter, found }, paging, { id: viewerId })
}

const pendingPage = preparePages('submissions.pending', ORDERS.longestWaiting, (db, window) =>
  selectPage(db, ORDERS.longestWaiting, pendingCondition, window, { forAdmin: true }),
)
/** Pending submissions for administrators, the longest waiting first. */
export function findPending(
  db: Reader,
  { updatedSince, ...paging }: PageSinceInput,
  viewerId: string,
): Promise<SubmissionRows> {
  if (updatedSince === undefined)
    return withTotal(pendingPage(db, paging, { viewerId }), readCountedTotal(db, 'submissions_pending'))
  const filter: SubmissionFilter = { status: 'pending', updatedSince: changedSince(updatedSince) }
  return findSubmissionPage(db, ORDERS.longestWaiting, { filter }, paging, { id: viewerId, isAdmin: true })
}

/** The order that the status has an index for. Only approved submissions have a score: of others, the oldest come first. */
function orderOf({ sort, status }: Pick<AdminQuery, 'sort' | 'status'>): ListOrder {
  if (status === 'pending') return sort === 'newest' ? ORDERS.newestPending : ORDERS.longestWaiting
  if (sort !== 'highest') return ORDERS[sort]
  if (status === undefined) return ORDERS.best
  return status === 'approved' ? ORDERS.highest : ORDERS.oldest
}

/** A page of submissions for administrators. `search` also matches the submitter. */
export async function findSubmissions(
  db: Reader,
  { status, teamId, challengeId, search, sort, updatedSince, ...paging }: AdminQuery,
  viewerId: string,
): Promise<SubmissionRows> {
  const teamOrChallenge = and(
    teamId === undefined ? undefined : eq(submissions.teamId, teamId),
    challengeId === undefined ? undefined : eq(submissions.challengeId, challengeId),
  )
  const filter: SubmissionFilter = { status, teamOrChallenge, updatedSince: changedSince(updatedSince) }
  const found = search === '' ? undefined : await searchAllNames(db, search, filter)
  return findSubmissionPage(db, orderOf({ sort, status }), { filter, found }, paging, { id: viewerId, isAdmin: true })
}

const ownCondition = (db: Reader) =>
  and(
    sql`${submissions.submittedBy} = ${sql.placeholder('viewerId')}::uuid`,
    or(approvedCondition, insiderCondition(db)),
    sinceCondition,
  )
const ownPage = preparePages('submissions.own', newest, (db, window) =>
  selectPage(db, newest, ownCondition(db), window),
)
const ownTotal = prepared('submissions.own.total', (db) => selectTotal(db, ownCondition(db)))
/** A user's submissions, newest first; for teams they have left only approved ones. */
export const findOwnSubmissions = (db: Reader, userId: string, paging: PageSinceInput): Promise<SubmissionRows> => {
  const values = { viewerId: userId, updatedSince: paging.updatedSince ?? null }
  return withTotal(ownPage(db, paging, values), ownTotal(db, values))
}

/** Approved submissions by score. */
export const findHighestScored = (db: Reader, paging: PageInput, viewerId: string | null) =>
  withTotal(worksBySort.highest(db, paging, { viewerId }), readCountedTotal(db, 'submissions_approved'))

const challengeCondition = (db: Reader) =>
  sql`${submissions.challengeId} = ${sql.placeholder('challengeId')}::uuid
    and (${approvedCondition} or ${sql.placeholder('seesAll')}::boolean or ${insiderCondition(db)})
    and ${sinceCondition}`
const challengePage = preparePages('submissions.of-challenge', newest, (db, window) =>
  selectPage(db, newest, challengeCondition(db), window),
)
const challengeTotal = prepared('submissions.of-challenge.total', (db) => selectTotal(db, challengeCondition(db)))
/** A challenge's submissions, newest first: approved ones and those of the viewer's teams; all of them with `seesAll`. */
export const findChallengeSubmissions = (
  db: Reader,
  challengeId: string,
  paging: PageSinceInput,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const { seesAll, id: viewerId } = viewer
  const values = { challengeId, seesAll, viewerId, updatedSince: paging.updatedSince ?? null }
  return withTotal(challengePage(db, paging, values), challengeTotal(db, values))
}
