import type { Challenge } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { challenges } from '@community/db/schema'
import { and, count, eq, like, type Placeholder, type SQL, sql } from 'drizzle-orm'

export const challengeColumns = {
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
    .select(challengeColumns)
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
    .select(challengeColumns)
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
