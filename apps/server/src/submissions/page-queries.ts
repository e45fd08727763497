import type { WORK_SORTS } from '@community/contract'
import type { Reader } from '@community/db'
import {
  challenges,
  pastMembers,
  submissionMembers,
  submissions,
  teamMembers,
  teams,
  uploads,
  users,
} from '@community/db/schema'
import { and, count, eq, exists, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Page, type PageWindow, selectIds } from '../pagination/keyset.ts'
import { listOrder, type ListOrder, type SortKey } from '../pagination/list-order.ts'
import { updatedSinceCondition } from '../pagination/updated-since.ts'

export type WorkSort = (typeof WORK_SORTS)[number]

const submitter = alias(users, 'submitter')
const evaluator = alias(users, 'evaluator')
const viewerMember = alias(teamMembers, 'viewer_member')
const teamSubmission = alias(submissions, 'team_submission')

const columns = {
  id: submissions.id,
  challenge: { id: challenges.id, title: challenges.title, points: challenges.points },
  team: { id: teams.id, name: teams.name },
  submittedBy: { id: submitter.id, name: submitter.name, email: submitter.email },
  type: submissions.type,
  content: submissions.content,
  file: {
    originalName: uploads.originalName,
    fileSize: uploads.size,
    mimeType: uploads.mimeType,
    preview: uploads.preview,
  },
  notes: submissions.notes,
  status: submissions.status,
  score: submissions.score,
  points: submissions.points,
  feedback: submissions.feedback,
  evaluatedBy: { id: evaluator.id, name: evaluator.name },
  createdAt: submissions.createdAt,
  resubmittedAt: submissions.resubmittedAt,
  updatedAt: submissions.updatedAt,
  evaluatedAt: submissions.evaluatedAt,
}

export const byId: SortKey = { expression: submissions.id, type: 'uuid' }
const byTime = { expression: submissions.createdAt, type: 'timestamptz' } as const
// Written like the index `submissions_waiting`, or it would not be used.
const waitingSince = {
  expression: sql`coalesce(${submissions.resubmittedAt}, ${submissions.createdAt})`,
  type: 'timestamptz',
} as const
// Directions and nulls as in the indexes, or they would not be used.
export const newest = listOrder('submissions.newest', [{ ...byTime, direction: 'desc nulls last' }, byId])
export const ORDERS = {
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
  longestWaiting: listOrder('submissions.waiting', [waitingSince, byId]),
  newestPending: listOrder('submissions.newest-pending', [
    { ...waitingSince, direction: 'desc' },
    { ...byId, direction: 'desc' },
  ]),
  /** Among all submissions, those without a score come last. All keys ascend, so that a cursor starts in the index. */
  best: listOrder('submissions.best', [
    { expression: sql`(-coalesce(${submissions.score}, 0))`, type: 'bigint' },
    byTime,
    byId,
  ]),
} satisfies Record<WorkSort | 'longestWaiting' | 'newestPending' | 'best', ListOrder>

/** The viewer is in the submission's team. False for visitors, whose id is null. */
export const insiderCondition = (db: Reader, teamId: SQLWrapper = submissions.teamId) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(viewerMember)
      .where(and(eq(viewerMember.teamId, teamId), sql`${viewerMember.userId} = ${sql.placeholder('viewerId')}::uuid`)),
  )

const anyRow = { one: sql`1` }
/** The user is in the team, was in it, or is in the snapshot of any of its submissions. */
export const ownTeamCondition = (db: Reader, teamId: SQLWrapper, userId: SQLWrapper): SQL =>
  or(
    exists(
      db
        .select(anyRow)
        .from(viewerMember)
        .where(and(eq(viewerMember.teamId, teamId), eq(viewerMember.userId, userId))),
    ),
    exists(
      db
        .select(anyRow)
        .from(pastMembers)
        .where(and(eq(pastMembers.teamId, teamId), eq(pastMembers.userId, userId))),
    ),
    exists(
      db
        .select(anyRow)
        .from(submissionMembers)
        .innerJoin(teamSubmission, eq(teamSubmission.id, submissionMembers.submissionId))
        .where(and(eq(teamSubmission.teamId, teamId), eq(submissionMembers.userId, userId))),
    ),
  )!

/** Limits before joining, so that only the page's rows are joined. `canEvaluate` is null unless the page is for an administrator. */
export function selectPage(
  db: Reader,
  order: ListOrder,
  where: SQL | undefined,
  window: PageWindow,
  { forAdmin = false }: { forAdmin?: boolean } = {},
) {
  const page = selectIds(db, submissions, order, where, window)
  const ownTeam = ownTeamCondition(db, submissions.teamId, sql`${sql.placeholder('viewerId')}::uuid`)
  const canEvaluate = sql<boolean | null>`${forAdmin ? sql`not ${ownTeam}` : sql`null`}`
  return db
    .select({
      ...columns,
      key: order.key,
      isInsider: insiderCondition(db).mapWith(Boolean).as('is_insider'),
      canEvaluate: canEvaluate.as('can_evaluate'),
    })
    .from(page)
    .innerJoin(submissions, eq(submissions.id, page.id))
    .innerJoin(challenges, eq(challenges.id, submissions.challengeId))
    .innerJoin(teams, eq(teams.id, submissions.teamId))
    .leftJoin(submitter, eq(submitter.id, submissions.submittedBy))
    .leftJoin(evaluator, eq(evaluator.id, submissions.evaluatedBy))
    .leftJoin(uploads, eq(uploads.id, submissions.uploadId))
    .orderBy(...order.orderBy)
}
/** The condition of `updatedSince` in a prepared statement. */
export const sinceCondition = updatedSinceCondition(submissions.updatedAt, sql.placeholder('updatedSince'))
export const selectTotal = (db: Reader, where: SQL | undefined) =>
  db.select({ total: count() }).from(submissions).where(where)

export type SubmissionRow = Omit<Awaited<ReturnType<typeof selectPage>>[number], 'key'>
export type SubmissionRows = Page<SubmissionRow>

export const firstRowsWindow: PageWindow = {
  after: undefined,
  limit: sql.placeholder('limit'),
  offset: 0,
  usesGenericPlan: true,
}
