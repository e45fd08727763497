import { Challenge, type CHALLENGE_SORTS } from '@community/contract'
import { onlyRow, type Reader, prepared, sharedColumns } from '@community/db'
import { challenges, teamMembers, teams } from '@community/db/schema'
import { and, count, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  withTotal,
  selectIds,
  type Page,
  queryPage,
  preparePages,
  type PageInput,
  type PageWindow,
} from '../pagination/keyset.ts'
import { type ListOrder, listOrder, type SortKey } from '../pagination/list-order.ts'
import { parseCursor } from '../pagination/cursor.ts'
import { updatedSinceCondition } from '../pagination/updated-since.ts'
import { textCondition } from '../search/search-condition.ts'

export const challengeColumns = sharedColumns(challenges, Challenge.shape)

/** Filters of a list; null applies no filter. */
export interface ChallengeFilter {
  seesInactive: boolean
  isOpen: boolean | null
  isActive: boolean | null
  category: Challenge['category'] | null
  difficulty: Challenge['difficulty'] | null
  minPoints: number | null
  maxPoints: number | null
  updatedSince: string | null
}
type WithPlaceholders<T> = { [K in keyof T]: T[K] | Placeholder }

const openCondition = (instant: SQL) => sql`(${challenges.isActive} and ${challenges.deadline} > ${instant})`
const openNow = openCondition(sql`now()`)
/**
 * The deadline that passed most recently. The order as of then is the order as of now, but this value, which is part of the cursor and so
 * of the ETag, changes only when a challenge closes.
 */
const lastDeadline = sql`(select coalesce(max(${challenges.deadline}), 'epoch') from ${challenges}
  where ${challenges.isActive} and ${challenges.deadline} <= now())`
/**
 * Open challenges by nearest deadline, then closed ones by latest. Because challenges close over time, the whole list is sorted as of the
 * instant of its first page, which is part of the cursor: `instantOfCursor`, null for a first page.
 */
const deadlineOrder = (instantOfCursor: Placeholder | string | null): ListOrder => {
  const instant = sql`coalesce(${instantOfCursor}::timestamptz, ${lastDeadline})`
  const openAtInstant = openCondition(instant)
  return listOrder('challenges.deadline', [
    { expression: instant, type: 'timestamptz' },
    { expression: openAtInstant, type: 'boolean', direction: 'desc' },
    {
      expression: sql`(case when ${openAtInstant} then ${challenges.deadline} else 'infinity' end)`,
      type: 'timestamptz',
    },
    { expression: challenges.deadline, type: 'timestamptz', direction: 'desc' },
    { expression: challenges.id, type: 'uuid' },
  ])
}

export type ChallengeSort = (typeof CHALLENGE_SORTS)[number]
const orderBy = (sort: ChallengeSort, by: SortKey): ListOrder =>
  listOrder(`challenges.${sort}`, [by, { expression: challenges.id, type: 'uuid' }])
const OTHER_ORDERS: Record<Exclude<ChallengeSort, 'deadline'>, ListOrder> = {
  newest: orderBy('newest', { expression: challenges.createdAt, type: 'timestamptz', direction: 'desc' }),
  // The first line of `searchText` is the title without case and accents.
  title: orderBy('title', { expression: sql`split_part(${challenges.searchText}, chr(10), 1)`, type: 'text' }),
  points: orderBy('points', { expression: challenges.points, type: 'bigint', direction: 'desc' }),
  submissions: orderBy('submissions', { expression: challenges.submissionCount, type: 'bigint', direction: 'desc' }),
}
const byDeadline = deadlineOrder(sql.placeholder('instant'))
const cursorInstant = ({ cursor }: PageInput): string | null =>
  cursor === undefined ? null : (parseCursor(byDeadline, cursor)[0] ?? null)

const visibleCondition = (seesInactive: Placeholder | boolean): SQL =>
  sql`(${challenges.isActive} or ${seesInactive}::boolean) and ${challenges.deletedAt} is null`

/** One plan for every combination of filters: the table is small, and an absent filter is null. */
const filterCondition = (filter: WithPlaceholders<ChallengeFilter>): SQL | undefined =>
  and(
    visibleCondition(filter.seesInactive),
    sql`(${filter.isOpen}::boolean is null or ${openNow} = ${filter.isOpen}::boolean)`,
    sql`(${filter.isActive}::boolean is null or ${challenges.isActive} = ${filter.isActive}::boolean)`,
    sql`(${filter.category}::category is null or ${challenges.category} = ${filter.category}::category)`,
    sql`(${filter.difficulty}::difficulty is null or ${challenges.difficulty} = ${filter.difficulty}::difficulty)`,
    sql`(${filter.minPoints}::int is null or ${challenges.points} >= ${filter.minPoints}::int)`,
    sql`(${filter.maxPoints}::int is null or ${challenges.points} <= ${filter.maxPoints}::int)`,
    updatedSinceCondition(challenges.updatedAt, filter.updatedSince),
  )

/** Limits before joining, so that the sort only carries ids. */
function selectPage(db: Reader, order: ListOrder, where: SQL | undefined, window: PageWindow) {
  const page = selectIds(db, challenges, order, where, window)
  return db
    .select({ ...challengeColumns, key: order.key })
    .from(page)
    .innerJoin(challenges, eq(challenges.id, page.id))
    .orderBy(...order.orderBy)
}
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(challenges).where(where)

export type ChallengeRow = Omit<Awaited<ReturnType<typeof selectPage>>[number], 'key'>

const filterPlaceholders: WithPlaceholders<ChallengeFilter> = {
  seesInactive: sql.placeholder('seesInactive'),
  isOpen: sql.placeholder('isOpen'),
  isActive: sql.placeholder('isActive'),
  category: sql.placeholder('category'),
  difficulty: sql.placeholder('difficulty'),
  minPoints: sql.placeholder('minPoints'),
  maxPoints: sql.placeholder('maxPoints'),
  updatedSince: sql.placeholder('updatedSince'),
}
const page = preparePages('challenges.page', byDeadline, (db, window) =>
  selectPage(db, byDeadline, filterCondition(filterPlaceholders), window),
)
const total = prepared('challenges.total', (db) => selectTotal(db, filterCondition(filterPlaceholders)))

/** A page of challenges and the total. `search` must be folded by `searchKey`; empty for none. */
export function findChallenges(
  db: Reader,
  filter: ChallengeFilter,
  search: string,
  { sort = 'deadline', ...paging }: PageInput & { sort?: ChallengeSort },
): Promise<Page<ChallengeRow>> {
  const values = { ...filter }
  const instant = sort === 'deadline' ? cursorInstant(paging) : null
  if (search === '' && sort === 'deadline')
    return withTotal(page(db, paging, { ...values, instant }), total(db, values))
  // Not prepared: a generic plan for `like` scans the whole table.
  const where = and(filterCondition(filter), search === '' ? undefined : textCondition(challenges.searchText, search))
  const order = sort === 'deadline' ? deadlineOrder(instant) : OTHER_ORDERS[sort]
  const rows = queryPage(db, order, paging, (reader, window) => selectPage(reader, order, where, window))
  return withTotal(rows, selectTotal(db, where))
}

const challengeSums = prepared('challenges.sums', (db) =>
  db
    .select({
      points: sql<number>`coalesce(sum(${challenges.points}), 0)::int`,
      submissions: sql<number>`coalesce(sum(${challenges.submissionCount}), 0)::int`,
    })
    .from(challenges)
    .where(visibleCondition(sql.placeholder('seesInactive'))),
)
/** Totals of all challenges, with or without inactive ones. */
export async function findChallengeSums(db: Reader, seesInactive: boolean) {
  return onlyRow(await challengeSums(db, { seesInactive }))
}

const challengeById = prepared('challenges.by-id', (db) =>
  db
    .select(challengeColumns)
    .from(challenges)
    .where(and(eq(challenges.id, sql.placeholder('id')), isNull(challenges.deletedAt))),
)
export async function findChallenge(db: Reader, id: string): Promise<ChallengeRow | undefined> {
  const [row] = await challengeById(db, { id })
  return row
}

const ownTeamByName = prepared('challenges.own-team', (db) => {
  const membershipCondition = and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, sql.placeholder('userId')))
  return db
    .select({ id: teams.id })
    .from(teams)
    .innerJoin(teamMembers, membershipCondition)
    .where(eq(teams.nameKey, sql.placeholder('nameKey')))
})
/** The id of the user's team whose name has this key (`nameKey`). */
export async function findOwnTeam(db: Reader, userId: string, nameKey: string): Promise<string | undefined> {
  const [team] = await ownTeamByName(db, { userId, nameKey })
  return team?.id
}
