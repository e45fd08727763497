import type { contract, ParsedInput, WORK_SORTS } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { challenges, submissions, teamMembers, teams, uploads, users } from '@community/db/schema'
import { and, count, eq, exists, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { readCount } from '../pagination/counts.ts'
import {
  withTotal,
  emptyPage,
  selectIds,
  type ListOrder,
  listOrder,
  type Page,
  queryPage,
  preparePages,
  type PageInput,
  type SortKey,
  type PageWindow,
} from '../pagination/keyset.ts'
import type { WithSearchKey } from '../search/search-limit.ts'
import { findNameCondition, findNameOrSubmitterCondition } from './search-queries.ts'

type WorkSort = (typeof WORK_SORTS)[number]
type AdminQuery = WithSearchKey<ParsedInput<typeof contract.submissions.list>>
type WorksQuery = WithSearchKey<ParsedInput<typeof contract.submissions.approved>>

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

const byId: SortKey = { expression: submissions.id, type: 'uuid' }
const byTime = { expression: submissions.createdAt, type: 'timestamptz' } as const
// Directions and nulls as in the indexes, or they would not be used.
const newest = listOrder('submissions.newest', [{ ...byTime, direction: 'desc nulls last' }, byId])
const ORDERS = {
  newest,
  oldest: listOrder('submissions.oldest', [
    { ...byTime, direction: 'asc nulls first' },
    { ...byId, direction: 'desc' },
  ]),
  highest: listOrder('submissions.highest', [
    { expression: submissions.score, type: 'bigint', direction: 'desc nulls last' },
    byTime,
    byId,
  ]),
  longestWaiting: listOrder('submissions.waiting', [byTime, byId]),
  /** Among all submissions, those without a score come last. */
  highestOrUnscored: listOrder('submissions.highest-of-all', [
    { expression: sql`coalesce(${submissions.score}, 0)`, type: 'bigint', direction: 'desc' },
    byTime,
    byId,
  ]),
} satisfies Record<WorkSort | 'longestWaiting' | 'highestOrUnscored', ListOrder>

const approvedCondition = sql`${submissions.status} = 'approved'`
const pendingCondition = sql`${submissions.status} = 'pending'`

/** The viewer is in the submission's team. False for visitors, whose id is null. */
const insiderCondition = (db: Reader, teamId: SQLWrapper = submissions.teamId) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(viewerMember)
      .where(and(eq(viewerMember.teamId, teamId), sql`${viewerMember.userId} = ${sql.placeholder('viewerId')}::uuid`)),
  )

/** Limits before joining, so that only the page's rows are joined. */
function selectPage(db: Reader, order: ListOrder, where: SQL | undefined, window: PageWindow) {
  const page = selectIds(db, submissions, order, where, window)
  return db
    .select({ ...columns, key: order.key, isInsider: insiderCondition(db).mapWith(Boolean).as('is_insider') })
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

const firstRowsWindow: PageWindow = {
  after: undefined,
  limit: sql.placeholder('limit'),
  offset: 0,
  usesGenericPlan: true,
}
// `any((select ...))` hides the number of ids from the planner, which would otherwise replan for small numbers.
const idsCondition = sql`${submissions.id} = any((select ${sql.placeholder('ids')}::uuid[])::uuid[])`
const rowsOfIds = prepared('submissions.by-ids', (db) => selectPage(db, newest, idsCondition, firstRowsWindow))

export async function findSubmission(
  db: Reader,
  id: string,
  viewerId: string | null,
): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOfIds(db, { ids: [id], limit: 1, viewerId })
  return row
}

const prepareWorks = (sort: WorkSort) =>
  preparePages(`submissions.works.${sort}`, ORDERS[sort], (db, window) =>
    selectPage(db, ORDERS[sort], approvedCondition, window),
  )
const worksBySort = { newest: prepareWorks('newest'), oldest: prepareWorks('oldest'), highest: prepareWorks('highest') }

/** A page of approved submissions; `search` matches the names of team and challenge. */
export async function findWorks(
  db: Reader,
  { search, sort, ...paging }: WorksQuery,
  viewerId: string | null,
): Promise<SubmissionRows> {
  if (search === '')
    return withTotal(worksBySort[sort](db, paging, { viewerId }), readCount(db, 'submissions_approved'))
  const nameCondition = await findNameCondition(db, search)
  return nameCondition
    ? findMatching(db, ORDERS[sort], and(approvedCondition, nameCondition), paging, viewerId)
    : emptyPage(ORDERS[sort], paging)
}

/** Each set of filters has its own best index: finds ids with a fresh plan, then joins them with a prepared statement. */
async function findMatching(
  db: Reader,
  order: ListOrder,
  where: SQL | undefined,
  paging: PageInput,
  viewerId: string | null,
): Promise<SubmissionRows> {
  const page = queryPage(db, order, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ id: submissions.id, key: order.key })
      .from(submissions)
      .where(and(where, after))
      .orderBy(...order.orderBy)
      .limit(limit)
      .offset(offset),
  )
  const { rows, ...rest } = await withTotal(page, selectTotal(db, where))
  const ids = rows.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await rowsOfIds(db, { ids, limit: ids.length, viewerId })
  const byId = new Map(found.map((row) => [row.id, row]))
  return { ...rest, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

const pendingPage = preparePages('submissions.pending', ORDERS.longestWaiting, (db, window) =>
  selectPage(db, ORDERS.longestWaiting, pendingCondition, window),
)
/** Pending submissions, oldest first. */
export const findPending = (db: Reader, paging: PageInput, viewerId: string): Promise<SubmissionRows> =>
  withTotal(pendingPage(db, paging, { viewerId }), readCount(db, 'submissions_pending'))

export async function findSubmissions(
  db: Reader,
  { status, teamId, challengeId, search, sort, ...paging }: AdminQuery,
  viewerId: string,
): Promise<SubmissionRows> {
  const order = ORDERS[sort === 'highest' ? 'highestOrUnscored' : sort]
  const nameCondition = search === '' ? undefined : await findNameOrSubmitterCondition(db, search)
  if (search !== '' && nameCondition === undefined) return emptyPage(order, paging)
  const where = and(
    status === undefined ? undefined : sql`${submissions.status} = ${status}::submission_status`,
    teamId === undefined ? undefined : eq(submissions.teamId, teamId),
    challengeId === undefined ? undefined : eq(submissions.challengeId, challengeId),
    nameCondition,
  )
  return findMatching(db, order, where, paging, viewerId)
}

const teamCondition = sql`${submissions.teamId} = ${sql.placeholder('teamId')}::uuid
  and (${approvedCondition} or ${sql.placeholder('seesAll')}::boolean)`
const teamPage = preparePages('submissions.of-team', newest, (db, window) =>
  selectPage(db, newest, teamCondition, window),
)
const teamTotal = prepared('submissions.of-team.total', (db) => selectTotal(db, teamCondition))
/** A team's submissions, newest first; only approved ones unless `seesAll`. */
export const findTeamSubmissions = (
  db: Reader,
  teamId: string,
  paging: PageInput,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { teamId, seesAll: viewer.seesAll }
  return withTotal(teamPage(db, paging, { ...values, viewerId: viewer.id }), teamTotal(db, values))
}

const myTeamsPage = preparePages('submissions.of-my-teams', newest, (db, window) =>
  selectPage(db, newest, insiderCondition(db), window),
)
const myTeamsTotal = prepared('submissions.of-my-teams.total', (db) => selectTotal(db, insiderCondition(db)))
/** The submission's challenge accepts applications now. */
const openChallengeCondition = (db: Reader) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(challenges)
      .where(and(eq(challenges.id, submissions.challengeId), challenges.isActive, sql`${challenges.deadline} > now()`)),
  )
const myOpenPage = preparePages('submissions.of-my-teams.open', newest, (db, window) =>
  selectPage(db, newest, and(insiderCondition(db), openChallengeCondition(db)), window),
)
const myOpenTotal = prepared('submissions.of-my-teams.open.total', (db) =>
  selectTotal(db, and(insiderCondition(db), openChallengeCondition(db))),
)
/** Submissions of all teams of a user, newest first; with `onlyOpen` only those of challenges that accept applications now. */
export const findSubmissionsOfUserTeams = (
  db: Reader,
  userId: string,
  paging: PageInput,
  onlyOpen = false,
): Promise<SubmissionRows> => {
  const [page, total] = onlyOpen ? [myOpenPage, myOpenTotal] : [myTeamsPage, myTeamsTotal]
  return withTotal(page(db, paging, { viewerId: userId }), total(db, { viewerId: userId }))
}

const teamForViewer = prepared('submissions.team-seen-by', (db) =>
  db
    .select({ isInsider: insiderCondition(db, teams.id).mapWith(Boolean).as('is_insider') })
    .from(teams)
    .where(eq(teams.id, sql.placeholder('teamId'))),
)
/** Whether the viewer is in the team; undefined if there is no such team. */
export async function findTeamForViewer(
  db: Reader,
  teamId: string,
  viewerId: string | null,
): Promise<{ isInsider: boolean } | undefined> {
  const [row] = await teamForViewer(db, { teamId, viewerId })
  return row
}

const teamsCondition = sql`${submissions.teamId} = any(${sql.placeholder('teamIds')}::uuid[])`
const worksOfTeams = prepared('submissions.works.of-teams', (db) =>
  selectPage(db, newest, and(approvedCondition, teamsCondition), firstRowsWindow),
)
const allOfTeams = prepared('submissions.of-teams', (db) => selectPage(db, newest, teamsCondition, firstRowsWindow))
/** The newest approved submissions of the given teams. */
export const findWorksOfTeams = (db: Reader, teamIds: string[], limit: number, viewerId: string) =>
  worksOfTeams(db, { teamIds, limit: limit, viewerId })
/** The newest submissions of the given teams. */
export const findSubmissionsOfTeams = (db: Reader, teamIds: string[], limit: number, viewerId: string) =>
  allOfTeams(db, { teamIds, limit: limit, viewerId })

const ownCondition = (db: Reader) =>
  and(
    sql`${submissions.submittedBy} = ${sql.placeholder('viewerId')}::uuid`,
    or(approvedCondition, insiderCondition(db)),
  )
const ownPage = preparePages('submissions.own', newest, (db, window) =>
  selectPage(db, newest, ownCondition(db), window),
)
const ownTotal = prepared('submissions.own.total', (db) => selectTotal(db, ownCondition(db)))
/** A user's submissions, newest first; for teams they have left only approved ones. */
export const findOwnSubmissions = (db: Reader, userId: string, paging: PageInput): Promise<SubmissionRows> =>
  withTotal(ownPage(db, paging, { viewerId: userId }), ownTotal(db, { viewerId: userId }))

const highestScored = prepared('submissions.best', (db) =>
  selectPage(db, ORDERS.highest, approvedCondition, firstRowsWindow),
)
/** Approved submissions by score. */
export const findHighestScored = (db: Reader, limit: number, viewerId: string | null) =>
  highestScored(db, { limit: limit, viewerId })

const challengeCondition = (db: Reader) =>
  sql`${submissions.challengeId} = ${sql.placeholder('challengeId')}::uuid
    and (${approvedCondition} or ${sql.placeholder('seesAll')}::boolean or ${insiderCondition(db)})`
const challengePage = preparePages('submissions.of-challenge', newest, (db, window) =>
  selectPage(db, newest, challengeCondition(db), window),
)
const challengeTotal = prepared('submissions.of-challenge.total', (db) => selectTotal(db, challengeCondition(db)))
/** A challenge's submissions, newest first: approved ones and those of the viewer's teams; all of them with `seesAll`. */
export const findChallengeSubmissions = (
  db: Reader,
  challengeId: string,
  paging: PageInput,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { challengeId, seesAll: viewer.seesAll, viewerId: viewer.id }
  return withTotal(challengePage(db, paging, values), challengeTotal(db, values))
}
