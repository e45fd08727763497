import { prepared, type Reader } from '@community/db'
import { challenges, submissions, teams } from '@community/db/schema'
import { and, eq, exists, sql } from 'drizzle-orm'
import { preparePages, withTotal } from '../pagination/keyset.ts'
import type { PageSinceInput } from '../pagination/updated-since.ts'
import {
  firstRowsWindow,
  insiderCondition,
  newest,
  selectPage,
  selectTotal,
  sinceCondition,
  type SubmissionRow,
  type SubmissionRows,
} from './page-queries.ts'
import { approvedCondition } from './status-conditions.ts'

const teamCondition = sql`${submissions.teamId} = ${sql.placeholder('teamId')}::uuid
  and (${approvedCondition} or ${sql.placeholder('seesAll')}::boolean) and ${sinceCondition}`
const teamPage = preparePages('submissions.of-team', newest, (db, window) =>
  selectPage(db, newest, teamCondition, window),
)
const teamTotal = prepared('submissions.of-team.total', (db) => selectTotal(db, teamCondition))
/** A team's submissions, newest first; only approved ones unless `seesAll`. */
export const findTeamSubmissions = (
  db: Reader,
  teamId: string,
  paging: PageSinceInput,
  viewer: { id: string | null; seesAll: boolean },
): Promise<SubmissionRows> => {
  const values = { teamId, seesAll: viewer.seesAll, updatedSince: paging.updatedSince ?? null }
  return withTotal(teamPage(db, paging, { ...values, viewerId: viewer.id }), teamTotal(db, values))
}

const myTeamsCondition = (db: Reader) => and(insiderCondition(db), sinceCondition)
const myTeamsPage = preparePages('submissions.of-my-teams', newest, (db, window) =>
  selectPage(db, newest, myTeamsCondition(db), window),
)
const myTeamsTotal = prepared('submissions.of-my-teams.total', (db) => selectTotal(db, myTeamsCondition(db)))
/** The submission's challenge accepts applications now. */
const openChallengeCondition = (db: Reader) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(challenges)
      .where(and(eq(challenges.id, submissions.challengeId), challenges.isActive, sql`${challenges.deadline} > now()`)),
  )
const myOpenPage = preparePages('submissions.of-my-teams.open', newest, (db, window) =>
  selectPage(db, newest, and(myTeamsCondition(db), openChallengeCondition(db)), window),
)
const myOpenTotal = prepared('submissions.of-my-teams.open.total', (db) =>
  selectTotal(db, and(myTeamsCondition(db), openChallengeCondition(db))),
)
/** Submissions of all teams of a user, newest first; with `onlyOpen` only those of challenges that accept applications now. */
export const findSubmissionsOfUserTeams = (
  db: Reader,
  userId: string,
  paging: PageSinceInput,
  onlyOpen = false,
): Promise<SubmissionRows> => {
  const [page, total] = onlyOpen ? [myOpenPage, myOpenTotal] : [myTeamsPage, myTeamsTotal]
  const values = { viewerId: userId, updatedSince: paging.updatedSince ?? null }
  return withTotal(page(db, paging, values), total(db, values))
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
/** The newest submissions of the given teams; only approved ones unless `seesAll`. */
export async function findSubmissionsOfTeams(
  db: Reader,
  teamIds: string[],
  limit: number,
  viewer: { id: string; seesAll: boolean },
): Promise<SubmissionRow[]> {
  const [teamId] = teamIds
  if (teamId === undefined) return []
  const { seesAll, id: viewerId } = viewer
  // A separate statement for one team: the `any(...)` form is replanned for each list.
  if (teamIds.length === 1)
    return (await teamPage(db, { page: 1, limit }, { teamId, seesAll, updatedSince: null, viewerId })).rows
  return (seesAll ? allOfTeams : worksOfTeams)(db, { teamIds, limit, viewerId })
}
