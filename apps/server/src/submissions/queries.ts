import type { contract, Parsed, WORK_SORTS } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { challenges, submissions, teamMembers, teams, uploads, users } from '@community/db/schema'
import { and, count, eq, exists, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { countOf } from '../pagination/counts.ts'
import {
  counted,
  emptyPage,
  idsOf,
  type ListOrder,
  listOrder,
  type Page,
  pagedQuery,
  pagedStatement,
  type Paging,
  type SortKey,
  type Window,
} from '../pagination/keyset.ts'
import type { Searched } from '../search/search-limit.ts'
import { namedLike, namedOrSubmittedLike } from './search-queries.ts'

type WorkSort = (typeof WORK_SORTS)[number]
type AdminQuery = Searched<Parsed<typeof contract.submissions.list>>
type WorksQuery = Searched<Parsed<typeof contract.submissions.approved>>

const submitter = alias(users, 'submitter')
const evaluator = alias(users, 'evaluator')
const viewerMember = alias(teamMembers, 'viewer_member')

const columns = {
  id: submissions.id,
  challenge: { id: challenges.id, title: challenges.title, points: challenges.points },
  team: { id: teams.id, name: teams.name },
  submittedBy: { id: submitter.id, name: submitter.name, email: submitter.email },
  type: submissions.type,
  content: submissions.content,
  file: { originalName: uploads.originalName, fileSize: uploads.size, mimeType: uploads.mimeType },
  notes: submissions.notes,
  status: submissions.status,
  score: submissions.score,
  points: submissions.points,
  feedback: submissions.feedback,
  evaluatedBy: { id: evaluator.id, name: evaluator.name },
  createdAt: submissions.createdAt,
  evaluatedAt: submissions.evaluatedAt,
}

const byId: SortKey = { on: submissions.id, type: 'uuid' }
const byTime = { on: submissions.createdAt, type: 'timestamptz' } as const
// Directions and nulls as in the indexes, or they would not be used.
const newest = listOrder('submissions.newest', [{ ...byTime, direction: 'desc nulls last' }, byId])
const ORDERS = {
  newest,
  oldest: listOrder('submissions.oldest', [
    { ...byTime, direction: 'asc nulls first' },
    { ...byId, direction: 'desc' },
  ]),
  highest: listOrder('submissions.highest', [
    { on: submissions.score, type: 'bigint', direction: 'desc nulls last' },
    byTime,
    byId,
  ]),
  waiting: listOrder('submissions.waiting', [byTime, byId]),
  /** Among all submissions, those without a score come last. */
  highestOfAll: listOrder('submissions.highest-of-all', [
    { on: sql`coalesce(${submissions.score}, 0)`, type: 'bigint', direction: 'desc' },
    byTime,
    byId,
  ]),
} satisfies Record<WorkSort | 'waiting' | 'highestOfAll', ListOrder>

const isApproved = sql`${submissions.status} = 'approved'`
const isPending = sql`${submissions.status} = 'pending'`

/** The viewer is in the submission's team. False for visitors, whose id is null. */
const isInsider = (db: Reader, teamId: SQLWrapper = submissions.teamId) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(viewerMember)
      .where(and(eq(viewerMember.teamId, teamId), sql`${viewerMember.userId} = ${sql.placeholder('viewerId')}::uuid`)),
  )

/** Limits before joining, so that only the page's rows are joined. */
function selectPage(db: Reader, order: ListOrder, where: SQL | undefined, window: Window) {
  const page = idsOf(db, submissions, order, where, window)
  return db
    .select({ ...columns, key: order.key, isInsider: isInsider(db).mapWith(Boolean).as('is_insider') })
    .from(page)
    .innerJoin(submissions, eq(submissions.id, page.id))
    .innerJoin(challenges, eq(challenges.id, submissions.challengeId))
    .innerJoin(teams, eq(teams.id, submissions.teamId))
    .leftJoin(submitter, eq(submitter.id, submissions.submittedBy))
    .leftJoin(evaluator, eq(evaluator.id, submissions.evaluatedBy))
    .leftJoin(uploads, eq(uploads.id, submissions.uploadId))
    .orderBy(...order.orderBy)
}
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(submissions).where(where)

export type SubmissionRow = Omit<Awaited<ReturnType<typeof selectPage>>[number], 'key'>
export type SubmissionRows = Page<SubmissionRow>

const firstRows: Window = { after: undefined, limit: sql.placeholder('limit'), offset: 0, isPlanKept: true }
// `any((select ...))` hides the number of ids from the planner, which would otherwise replan for small numbers.
const ofIds = sql`${submissions.id} = any((select ${sql.placeholder('ids')}::uuid[])::uuid[])`
const rowsOfIds = prepared('submissions.by-ids', (db) => selectPage(db, newest, ofIds, firstRows))

export async function findSubmission(
  db: Reader,
  id: string,
  viewerId: string | null,
): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOfIds(db, { ids: [id], limit: 1, viewerId })
  return row
}

const prepareWorks = (sort: WorkSort) =>
  pagedStatement(`submissions.works.${sort}`, ORDERS[sort], (db, window) =>
    selectPage(db, ORDERS[sort], isApproved, window),
  )
const worksBySort = { newest: prepareWorks('newest'), oldest: prepareWorks('oldest'), highest: prepareWorks('highest') }

/** A page of approved submissions; `search` matches the names of team and challenge. */
export async function findWorks(
  db: Reader,
  { search, sort, ...paging }: WorksQuery,
  viewerId: string | null,
): Promise<SubmissionRows> {
  if (search === '') return counted(worksBySort[sort](db, paging, { viewerId }), countOf(db, 'submissions_approved'))
  const named = await namedLike(db, search)
  return named ? findWhere(db, ORDERS[sort], and(isApproved, named), paging, viewerId) : emptyPage(ORDERS[sort], paging)
}

/** Each set of filters has its own best index: finds ids with a fresh plan, then joins them with a prepared statement. */
async function findWhere(
  db: Reader,
  order: ListOrder,
  where: SQL | undefined,
  paging: Paging,
  viewerId: string | null,
): Promise<SubmissionRows> {
  const page = pagedQuery(db, order, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ id: submissions.id, key: order.key })
      .from(submissions)
      .where(and(where, after))
      .orderBy(...order.orderBy)
      .limit(limit)
      .offset(offset),
  )
  const { rows, ...rest } = await counted(page, selectTotal(db, where))
  const ids = rows.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await rowsOfIds(db, { ids, limit: ids.length, viewerId })
  const byId = new Map(found.map((row) => [row.id, row]))
  return { ...rest, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

const pendingPage = pagedStatement('submissions.pending', ORDERS.waiting, (db, window) =>
  selectPage(db, ORDERS.waiting, isPending, window),
)
/** Pending submissions, oldest first. */
export const findPending = (db: Reader, paging: Paging, viewerId: string): Promise<SubmissionRows> =>
  counted(pendingPage(db, paging, { viewerId }), countOf(db, 'submissions_pending'))

export async function findSubmissions(
  db: Reader,
  { status, teamId, challengeId, search, sort, ...paging }: AdminQuery,
  viewerId: string,
): Promise<SubmissionRows> {
  const order = ORDERS[sort === 'highest' ? 'highestOfAll' : sort]
  const named = search === '' ? undefined : await namedOrSubmittedLike(db, search)
  if (search !== '' && named === undefined) return emptyPage(order, paging)
  const where = and(
    status === undefined ? undefined : sql`${submissions.status} = ${status}::submission_status`,
    teamId === undefined ? undefined : eq(submissions.teamId, teamId),
    challengeId === undefined ? undefined : eq(submissions.challengeId, challengeId),
    named,
  )
  return findWhere(db, order, where, paging, viewerId)
}

const ofTeam = sql`${submissions.teamId} = ${sql.placeholder('teamId')}::uuid
  and (${isApproved} or ${sql.placeholder('seesAll')}::boolean)`
const teamPage = pagedStatement('submissions.of-team', newest, (db, window) => selectPage(db, newest, ofTeam, window))
const teamTotal = prepared('submissions.of-team.total', (db) => selectTotal(db, ofTeam))
/** A team's submissions, newest first; only approved ones unless `seesAll`. */
export const findOfTeam = (
  db: Reader,
  teamId: string,
  paging: Paging,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { teamId, seesAll: viewer.seesAll }
  return counted(teamPage(db, paging, { ...values, viewerId: viewer.id }), teamTotal(db, values))
}

const myTeamsPage = pagedStatement('submissions.of-my-teams', newest, (db, window) =>
  selectPage(db, newest, isInsider(db), window),
)
const myTeamsTotal = prepared('submissions.of-my-teams.total', (db) => selectTotal(db, isInsider(db)))
/** The submission's challenge accepts applications now. */
const isOfOpen = (db: Reader) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(challenges)
      .where(and(eq(challenges.id, submissions.challengeId), challenges.isActive, sql`${challenges.deadline} > now()`)),
  )
const myOpenPage = pagedStatement('submissions.of-my-teams.open', newest, (db, window) =>
  selectPage(db, newest, and(isInsider(db), isOfOpen(db)), window),
)
const myOpenTotal = prepared('submissions.of-my-teams.open.total', (db) =>
  selectTotal(db, and(isInsider(db), isOfOpen(db))),
)
/** Submissions of all teams of a user, newest first; with `onlyOpen` only those of challenges that accept applications now. */
export const findOfTeamsOf = (
  db: Reader,
  userId: string,
  paging: Paging,
  onlyOpen = false,
): Promise<SubmissionRows> => {
  const [page, total] = onlyOpen ? [myOpenPage, myOpenTotal] : [myTeamsPage, myTeamsTotal]
  return counted(page(db, paging, { viewerId: userId }), total(db, { viewerId: userId }))
}

const teamSeenBy = prepared('submissions.team-seen-by', (db) =>
  db
    .select({ isInsider: isInsider(db, teams.id).mapWith(Boolean).as('is_insider') })
    .from(teams)
    .where(eq(teams.id, sql.placeholder('teamId'))),
)
/** Whether the viewer is in the team; undefined if there is no such team. */
export async function findTeamSeenBy(
  db: Reader,
  teamId: string,
  viewerId: string | null,
): Promise<{ isInsider: boolean } | undefined> {
  const [row] = await teamSeenBy(db, { teamId, viewerId })
  return row
}

const ofTeams = sql`${submissions.teamId} = any(${sql.placeholder('teamIds')}::uuid[])`
const worksOfTeams = prepared('submissions.works.of-teams', (db) =>
  selectPage(db, newest, and(isApproved, ofTeams), firstRows),
)
const allOfTeams = prepared('submissions.of-teams', (db) => selectPage(db, newest, ofTeams, firstRows))
/** The newest approved submissions of the given teams. */
export const findWorksOfTeams = (db: Reader, teamIds: string[], most: number, viewerId: string) =>
  worksOfTeams(db, { teamIds, limit: most, viewerId })
/** The newest submissions of the given teams. */
export const findSubmissionsOfTeams = (db: Reader, teamIds: string[], most: number, viewerId: string) =>
  allOfTeams(db, { teamIds, limit: most, viewerId })

const ownAndRead = (db: Reader) =>
  and(sql`${submissions.submittedBy} = ${sql.placeholder('viewerId')}::uuid`, or(isApproved, isInsider(db)))
const ownPage = pagedStatement('submissions.own', newest, (db, window) =>
  selectPage(db, newest, ownAndRead(db), window),
)
const ownTotal = prepared('submissions.own.total', (db) => selectTotal(db, ownAndRead(db)))
/** A user's submissions, newest first; for teams they have left only approved ones. */
export const findSubmittedBy = (db: Reader, userId: string, paging: Paging): Promise<SubmissionRows> =>
  counted(ownPage(db, paging, { viewerId: userId }), ownTotal(db, { viewerId: userId }))

const bestWorks = prepared('submissions.best', (db) => selectPage(db, ORDERS.highest, isApproved, firstRows))
/** Approved submissions by score. */
export const findBest = (db: Reader, most: number, viewerId: string | null) => bestWorks(db, { limit: most, viewerId })

const ofChallenge = (db: Reader) =>
  sql`${submissions.challengeId} = ${sql.placeholder('challengeId')}::uuid
    and (${isApproved} or ${sql.placeholder('seesAll')}::boolean or ${isInsider(db)})`
const challengePage = pagedStatement('submissions.of-challenge', newest, (db, window) =>
  selectPage(db, newest, ofChallenge(db), window),
)
const challengeTotal = prepared('submissions.of-challenge.total', (db) => selectTotal(db, ofChallenge(db)))
/** A challenge's submissions, newest first: approved ones and those of the viewer's teams; all of them with `seesAll`. */
export const findOfChallenge = (
  db: Reader,
  challengeId: string,
  paging: Paging,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { challengeId, seesAll: viewer.seesAll, viewerId: viewer.id }
  return counted(challengePage(db, paging, values), challengeTotal(db, values))
}
