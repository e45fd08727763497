import type { Challenge, ChallengeInput } from '@community/contract'
import { searchKey } from '@community/contract'
import { type Reader, statement, type Tx } from '@community/db'
import { challenges, submissionMembers, submissions, teamMembers } from '@community/db/schema'
import { and, count, eq, like, type Placeholder, type SQL, sql } from 'drizzle-orm'

/** What a challenge's search text is made of; the first line is the title. */
const challengeSearchText = (title: string, description: string): string =>
  `${searchKey(title).replaceAll('\n', ' ')}\n${searchKey(description)}`

const columns = {
  id: challenges.id,
  title: challenges.title,
  description: challenges.description,
  requirements: challenges.requirements,
  deadline: challenges.deadline,
  points: challenges.points,
  category: challenges.category,
  difficulty: challenges.difficulty,
  tags: challenges.tags,
  maxSubmissions: challenges.maxSubmissions,
  evaluationCriteria: challenges.evaluationCriteria,
  resources: challenges.resources,
  isActive: challenges.isActive,
  submissionCount: challenges.submissionCount,
  createdAt: challenges.createdAt,
}

/** What narrows a list; null where nothing does. */
export interface ChallengeFilter {
  seesInactive: boolean
  onlyOpen: boolean
  isActive: boolean | null
  category: Challenge['category'] | null
  difficulty: Challenge['difficulty'] | null
  minPoints: number | null
  maxPoints: number | null
}
type Bound<T> = { [K in keyof T]: T[K] | Placeholder }

const isOpen = sql`(${challenges.isActive} and ${challenges.deadline} > now())`
/** What can still be entered, the nearest deadline first; then what is over, the latest first. */
const byDeadline = [
  sql`${isOpen} desc`,
  sql`case when ${isOpen} then ${challenges.deadline} end`,
  sql`${challenges.deadline} desc`,
  challenges.id,
]

/** One plan serves every set of filters: the table is small, and an absent filter is a null. */
const passing = (filter: Bound<ChallengeFilter>): SQL | undefined =>
  and(
    sql`(${challenges.isActive} or ${filter.seesInactive}::boolean)`,
    sql`(${isOpen} or not ${filter.onlyOpen}::boolean)`,
    sql`(${filter.isActive}::boolean is null or ${challenges.isActive} = ${filter.isActive}::boolean)`,
    sql`(${filter.category}::category is null or ${challenges.category} = ${filter.category}::category)`,
    sql`(${filter.difficulty}::difficulty is null or ${challenges.difficulty} = ${filter.difficulty}::difficulty)`,
    sql`(${filter.minPoints}::int is null or ${challenges.points} >= ${filter.minPoints}::int)`,
    sql`(${filter.maxPoints}::int is null or ${challenges.points} <= ${filter.maxPoints}::int)`,
  )

interface Window {
  limit: number | Placeholder
  offset: number | Placeholder
}

/** Limit first, join after: the sort carries ids, not descriptions. */
function selectPage(db: Reader, where: SQL | undefined, { limit, offset }: Window) {
  const page = db
    .select({ id: challenges.id })
    .from(challenges)
    .where(where)
    .orderBy(...byDeadline)
    .limit(limit)
    .offset(offset)
    .as('page')
  return db
    .select(columns)
    .from(page)
    .innerJoin(challenges, eq(challenges.id, page.id))
    .orderBy(...byDeadline)
}
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(challenges).where(where)

export type ChallengeRow = Awaited<ReturnType<typeof selectPage>>[number]

const filterPlaceholders: Bound<ChallengeFilter> = {
  seesInactive: sql.placeholder('seesInactive'),
  onlyOpen: sql.placeholder('onlyOpen'),
  isActive: sql.placeholder('isActive'),
  category: sql.placeholder('category'),
  difficulty: sql.placeholder('difficulty'),
  minPoints: sql.placeholder('minPoints'),
  maxPoints: sql.placeholder('maxPoints'),
}
const page = statement('challenges.page', (db) =>
  selectPage(db, passing(filterPlaceholders), {
    limit: sql.placeholder('limit'),
    offset: sql.placeholder('offset'),
  }),
)
const total = statement('challenges.total', (db) => selectTotal(db, passing(filterPlaceholders)))

/** A page of challenges and how many pass the filter. `search` is folded by `searchKey`; empty for none. */
export async function findChallenges(
  db: Reader,
  filter: ChallengeFilter,
  search: string,
  window: { limit: number; offset: number },
): Promise<{ rows: ChallengeRow[]; total: number }> {
  const values = { ...filter }
  if (search === '') {
    const [rows, totals] = await Promise.all([page(db, { ...values, ...window }), total(db, values)])
    return { rows, total: totals[0]?.total ?? 0 }
  }
  // Planned anew each time: a generic plan for `like` reads the whole table.
  const where = and(passing(filter), like(challenges.searchText, `%${search.replace(/[\\%_]/g, '\\$&')}%`))
  const [rows, totals] = await Promise.all([selectPage(db, where, window), selectTotal(db, where)])
  return { rows, total: totals[0]?.total ?? 0 }
}

const challengeById = statement('challenges.by-id', (db) =>
  db
    .select(columns)
    .from(challenges)
    .where(eq(challenges.id, sql.placeholder('id'))),
)
export async function findChallenge(db: Reader, id: string): Promise<ChallengeRow | undefined> {
  const [row] = await challengeById(db, { id })
  return row
}

const figures = statement('challenges.figures', (db) =>
  db
    .select({
      total: count(),
      active: sql<number>`(count(*) filter (where ${isOpen}))::int`,
      points: sql<number>`coalesce(sum(${challenges.points}), 0)::int`,
      submissions: sql<number>`coalesce(sum(${challenges.submissionCount}), 0)::int`,
    })
    .from(challenges)
    .where(sql`${challenges.isActive}`),
)
/** What the head of the challenges section tells: of the challenges shown to everyone, how many, how many open, their points and submissions. */
export async function findChallengeFigures(db: Reader) {
  const [row] = await figures(db)
  return row ?? { total: 0, active: 0, points: 0, submissions: 0 }
}

const clock = statement('clock', (db) =>
  db.select({ now: sql`clock_timestamp()`.mapWith(challenges.deadline).as('now') }).from(sql`(select 1) as one`),
)
/** The database's clock at this very moment, not at the start of the transaction: the judge of deadlines. */
export async function databaseNow(db: Reader): Promise<Date> {
  const [row] = await clock(db)
  if (!row) throw new Error('the clock has no row')
  return row.now
}

const challengeForUpdate = statement('challenges.lock', (db) =>
  db
    .select({
      id: challenges.id,
      title: challenges.title,
      isActive: challenges.isActive,
      deadline: challenges.deadline,
      maxSubmissions: challenges.maxSubmissions,
    })
    .from(challenges)
    .where(eq(challenges.id, sql.placeholder('id')))
    .for('update'),
)
/** Locks a challenge, after the team: who counts its submissions or changes its state holds this first. */
export async function lockChallenge(tx: Tx, id: string) {
  const [row] = await challengeForUpdate(tx, { id })
  return row
}

const takesSlot = sql`${submissions.status} in ('pending', 'approved')`
const applicationFacts = statement('challenges.application-facts', (db) => {
  const teamId = sql`${sql.placeholder('teamId')}::uuid`
  const challengeId = sql`${sql.placeholder('challengeId')}::uuid`
  const taken = db
    .select({ taken: count() })
    .from(submissions)
    .where(and(eq(submissions.teamId, teamId), eq(submissions.challengeId, challengeId), takesSlot))
  const elsewhere = db
    .select({ one: sql`1` })
    .from(submissions)
    .innerJoin(submissionMembers, eq(submissionMembers.submissionId, submissions.id))
    .innerJoin(teamMembers, and(eq(teamMembers.userId, submissionMembers.userId), eq(teamMembers.teamId, teamId)))
    .where(and(eq(submissions.challengeId, challengeId), sql`${submissions.teamId} <> ${teamId}`, takesSlot))
  return db
    .select({
      now: sql`clock_timestamp()`.mapWith(challenges.deadline).as('now'),
      taken: sql<number>`(${taken})::int`.as('taken'),
      isMemberElsewhere: sql<boolean>`exists (${elsewhere})`.as('is_member_elsewhere'),
    })
    .from(sql`(select 1) as one`)
})
/**
 * What decides an application, read after both locks: the time, the slots the team has taken, and whether one of its
 * members stands in the snapshot of another team's pending or approved application.
 */
export async function readApplicationFacts(tx: Tx, teamId: string, challengeId: string) {
  const [row] = await applicationFacts(tx, { teamId, challengeId })
  if (!row) throw new Error('the application facts have no row')
  return row
}

export async function countSubmissionIn(tx: Tx, challengeId: string): Promise<void> {
  await tx
    .update(challenges)
    .set({ submissionCount: sql`${challenges.submissionCount} + 1` })
    .where(eq(challenges.id, challengeId))
}

/** Inserts a challenge as the dialog gave it; answers its row. */
export async function insertChallenge(
  tx: Tx,
  { deadline, ...given }: ChallengeInput,
  createdBy: string,
): Promise<ChallengeRow> {
  const [row] = await tx
    .insert(challenges)
    .values({
      ...given,
      deadline: new Date(deadline),
      createdBy,
      searchText: challengeSearchText(given.title, given.description),
    })
    .returning(columns)
  if (!row) throw new Error('an insert returned no row')
  return row
}
