import { type contract, type Parsed, searchKey, type WORK_SORTS } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { challenges, submissions, teamMembers, teams, uploads, users } from '@community/db/schema'
import { and, count, eq, exists, or, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { namedLike, submittedLike } from './name-search-store.ts'

type WorkSort = (typeof WORK_SORTS)[number]
type AdminQuery = Parsed<typeof contract.submissions.list>

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

// Written as the indexes are, or they would not be read; each ends in the id, so that no two pages share a row.
const newest = [sql`${submissions.createdAt} desc nulls last`, sql`${submissions.id}`]
const ORDERS = {
  newest,
  oldest: [sql`${submissions.createdAt} asc nulls first`, sql`${submissions.id} desc`],
  highest: [sql`${submissions.score} desc nulls last`, sql`${submissions.createdAt}`, sql`${submissions.id}`],
  waiting: [sql`${submissions.createdAt}`, sql`${submissions.id}`],
} as const satisfies Record<WorkSort | 'waiting', SQL[]>

const isApproved = sql`${submissions.status} = 'approved'`
const isPending = sql`${submissions.status} = 'pending'`

type Value<T> = T | Placeholder
interface Window {
  limit: Value<number>
  offset: Value<number>
  /** Whose teams count as their own; null for a visitor. */
  viewerId: Value<string | null>
}

/** Is the viewer in the team of a submission? */
const isInsider = (db: Reader, viewerId: Value<string | null>, teamId: SQLWrapper = submissions.teamId) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(viewerMember)
      .where(and(eq(viewerMember.teamId, teamId), sql`${viewerMember.userId} = ${viewerId}::uuid`)),
  )

/** Limit first, join after: only the page's rows are joined with anything. */
function selectPage(db: Reader, where: SQL | undefined, order: SQL[], { limit, offset, viewerId }: Window) {
  const page = db
    .select({ id: submissions.id })
    .from(submissions)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as('page')
  return db
    .select({ ...columns, isInsider: isInsider(db, viewerId).mapWith(Boolean).as('is_insider') })
    .from(page)
    .innerJoin(submissions, eq(submissions.id, page.id))
    .innerJoin(challenges, eq(challenges.id, submissions.challengeId))
    .innerJoin(teams, eq(teams.id, submissions.teamId))
    .leftJoin(submitter, eq(submitter.id, submissions.submittedBy))
    .leftJoin(evaluator, eq(evaluator.id, submissions.evaluatedBy))
    .leftJoin(uploads, eq(uploads.id, submissions.uploadId))
    .orderBy(...order)
}
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(submissions).where(where)

export type SubmissionRow = Awaited<ReturnType<typeof selectPage>>[number]
export interface SubmissionRows {
  rows: SubmissionRow[]
  total: number
}
interface Paging {
  page: number
  limit: number
}

const window: Window = {
  limit: sql.placeholder('limit'),
  offset: sql.placeholder('offset'),
  viewerId: sql.placeholder('viewerId'),
}
const windowOf = ({ page, limit }: Paging, viewerId: string | null) => ({ limit, offset: (page - 1) * limit, viewerId })

const counted = async (
  rows: Promise<SubmissionRow[]>,
  totals: Promise<{ total: number }[]>,
): Promise<SubmissionRows> => {
  const [found, [counted]] = await Promise.all([rows, totals])
  return { rows: found, total: counted?.total ?? 0 }
}

const byId = statement('submissions.by-id', (db) =>
  selectPage(db, sql`${submissions.id} = ${sql.placeholder('id')}::uuid`, newest, { ...window, limit: 1, offset: 0 }),
)
export async function findSubmission(
  db: Reader,
  id: string,
  viewerId: string | null,
): Promise<SubmissionRow | undefined> {
  const [row] = await byId(db, { id, viewerId })
  return row
}

const worksBySort = {
  newest: statement('submissions.works.newest', (db) => selectPage(db, isApproved, ORDERS.newest, window)),
  oldest: statement('submissions.works.oldest', (db) => selectPage(db, isApproved, ORDERS.oldest, window)),
  highest: statement('submissions.works.highest', (db) => selectPage(db, isApproved, ORDERS.highest, window)),
}
const worksTotal = statement('submissions.works.total', (db) => selectTotal(db, isApproved))

/** Approved work, page by page; `search` looks into the names of team and challenge. */
export function findWorks(
  db: Reader,
  { search = '', sort, ...paging }: Parsed<typeof contract.submissions.approved>,
  viewerId: string | null,
): Promise<SubmissionRows> {
  const at = windowOf(paging, viewerId)
  const wanted = searchKey(search)
  if (wanted === '') return counted(worksBySort[sort](db, at), worksTotal(db))
  const where = and(isApproved, or(...namedLike(db, wanted)))
  return counted(selectPage(db, where, ORDERS[sort], at).execute(), selectTotal(db, where).execute())
}

const pendingPage = statement('submissions.pending', (db) => selectPage(db, isPending, ORDERS.waiting, window))
const pendingTotal = statement('submissions.pending.total', (db) => selectTotal(db, isPending))
/** What waits for a verdict, the longest wait first. */
export const findPending = (db: Reader, paging: Paging, viewerId: string): Promise<SubmissionRows> =>
  counted(pendingPage(db, windowOf(paging, viewerId)), pendingTotal(db))

/** All submissions by filter, newest first. Planned anew each time: every set of filters has its own best index. */
export function findSubmissions(
  db: Reader,
  { status, teamId, challengeId, search = '', ...paging }: AdminQuery,
  viewerId: string,
): Promise<SubmissionRows> {
  const wanted = searchKey(search)
  const where = and(
    status === undefined ? undefined : sql`${submissions.status} = ${status}::submission_status`,
    teamId === undefined ? undefined : eq(submissions.teamId, teamId),
    challengeId === undefined ? undefined : eq(submissions.challengeId, challengeId),
    wanted === '' ? undefined : or(...namedLike(db, wanted), submittedLike(db, wanted)),
  )
  const at = windowOf(paging, viewerId)
  return counted(selectPage(db, where, ORDERS.newest, at).execute(), selectTotal(db, where).execute())
}

const ofTeam = sql`${submissions.teamId} = ${sql.placeholder('teamId')}::uuid
  and (${isApproved} or ${sql.placeholder('seesAll')}::boolean)`
const teamPage = statement('submissions.of-team', (db) => selectPage(db, ofTeam, ORDERS.newest, window))
const teamTotal = statement('submissions.of-team.total', (db) => selectTotal(db, ofTeam))
/** A team's submissions, newest first; only approved ones for who may not see all. */
export const findOfTeam = (
  db: Reader,
  teamId: string,
  paging: Paging,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { teamId, seesAll: viewer.seesAll }
  return counted(teamPage(db, { ...values, ...windowOf(paging, viewer.id) }), teamTotal(db, values))
}

const ofMyTeams = (db: Reader) => isInsider(db, sql.placeholder('viewerId'))
const myTeamsPage = statement('submissions.of-my-teams', (db) => selectPage(db, ofMyTeams(db), ORDERS.newest, window))
const myTeamsTotal = statement('submissions.of-my-teams.total', (db) => selectTotal(db, ofMyTeams(db)))
/** The submissions of all teams somebody is in, newest first. */
export const findOfTeamsOf = (db: Reader, userId: string, paging: Paging): Promise<SubmissionRows> =>
  counted(myTeamsPage(db, windowOf(paging, userId)), myTeamsTotal(db, { viewerId: userId }))

const teamSeenBy = statement('submissions.team-seen-by', (db) =>
  db
    .select({ isInsider: isInsider(db, sql.placeholder('viewerId'), teams.id).mapWith(Boolean).as('is_insider') })
    .from(teams)
    .where(eq(teams.id, sql.placeholder('teamId'))),
)
/** Is the viewer in this team? Undefined where there is no such team. */
export async function findTeamSeenBy(
  db: Reader,
  teamId: string,
  viewerId: string | null,
): Promise<{ isInsider: boolean } | undefined> {
  const [row] = await teamSeenBy(db, { teamId, viewerId })
  return row
}

const ofTeams = sql`${submissions.teamId} = any(${sql.placeholder('teamIds')}::uuid[])`
const firstRows: Window = { ...window, offset: 0 }
const worksOfTeams = statement('submissions.works.of-teams', (db) =>
  selectPage(db, and(isApproved, ofTeams), ORDERS.newest, firstRows),
)
const allOfTeams = statement('submissions.of-teams', (db) => selectPage(db, ofTeams, ORDERS.newest, firstRows))
/** The newest approved submissions of some teams. */
export const findWorksOfTeams = (db: Reader, teamIds: string[], most: number, viewerId: string) =>
  worksOfTeams(db, { teamIds, limit: most, viewerId })
/** The newest submissions of some teams. */
export const findSubmissionsOfTeams = (db: Reader, teamIds: string[], most: number, viewerId: string) =>
  allOfTeams(db, { teamIds, limit: most, viewerId })

const isSubmittedByViewer = sql`${submissions.submittedBy} = ${sql.placeholder('viewerId')}::uuid`
const ownPage = statement('submissions.own', (db) => selectPage(db, isSubmittedByViewer, ORDERS.newest, window))
const ownTotal = statement('submissions.own.total', (db) => selectTotal(db, isSubmittedByViewer))
/** What somebody submitted, newest first. */
export const findSubmittedBy = (db: Reader, userId: string, paging: Paging): Promise<SubmissionRows> =>
  counted(ownPage(db, windowOf(paging, userId)), ownTotal(db, { viewerId: userId }))
