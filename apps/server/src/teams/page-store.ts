import type { contract, Parsed } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { teamRolesNeeded, teams } from '@community/db/schema'
import { and, asc, count, desc, eq, exists, like, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { isActive, teamColumns, type TeamRow } from './reading-store.ts'

type ListInput = Parsed<typeof contract.teams.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

const SORT_KEYS = {
  name: [teams.nameKey, teams.id],
  members: [teams.memberCount, teams.nameKey, teams.id],
  points: [teams.points, teams.nameKey, teams.id],
  challenges: [teams.challengesCompleted, teams.nameKey, teams.id],
} as const satisfies Record<Sort, unknown>

/** Descending is the exact reverse of ascending, ties too: both directions read one index and sort nothing. */
const orderBy = (sort: Sort, order: Order): SQL[] =>
  SORT_KEYS[sort].map((key) => (order === 'asc' ? asc(key) : desc(key)))

const needsRole = (db: Reader, roleId: string | Placeholder) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(teamRolesNeeded)
      .where(and(eq(teamRolesNeeded.teamId, teams.id), eq(teamRolesNeeded.roleId, roleId))),
  )

interface Window {
  sort: Sort
  order: Order
  limit: number | Placeholder
  offset: number | Placeholder
}

/** Limit first, join after: only the page's rows are read from the table, whatever the offset. */
function selectPage(db: Reader, where: SQL | undefined, { sort, order, limit, offset }: Window) {
  const page = db
    .select({ id: teams.id })
    .from(teams)
    .where(where)
    .orderBy(...orderBy(sort, order))
    .limit(limit)
    .offset(offset)
    .as('page')
  return db
    .select(teamColumns)
    .from(page)
    .innerJoin(teams, eq(teams.id, page.id))
    .orderBy(...orderBy(sort, order))
}

const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(teams).where(where)

const limit = sql.placeholder('limit')
const offset = sql.placeholder('offset')
const roleId = sql.placeholder('roleId')

const prepareOrder = (sort: Sort, order: Order) => {
  const window = { sort, order, limit, offset }
  return {
    active: statement(`teams.page.${sort}.${order}`, (db) => selectPage(db, isActive, window)),
    ofRole: statement(`teams.page.${sort}.${order}.role`, (db) =>
      selectPage(db, and(isActive, needsRole(db, roleId)), window),
    ),
  }
}
const prepareSort = (sort: Sort) => ({ asc: prepareOrder(sort, 'asc'), desc: prepareOrder(sort, 'desc') })
/** A plan of its own for each order, so that each reads the index made for it. */
const pages: Record<Sort, Record<Order, ReturnType<typeof prepareOrder>>> = {
  name: prepareSort('name'),
  members: prepareSort('members'),
  points: prepareSort('points'),
  challenges: prepareSort('challenges'),
}
// The parameter is for postgres.js: it prepares no statement that has none.
const totalActive = statement('teams.total', (db) => selectTotal(db, eq(teams.isActive, sql.placeholder('isActive'))))
const totalOfRole = statement('teams.total.role', (db) => selectTotal(db, and(isActive, needsRole(db, roleId))))

export interface TeamQuery extends Pick<ListInput, 'page' | 'limit' | 'sort' | 'order' | 'includeInactive'> {
  role?: string | undefined
  /** Folded by the contract's `searchKey`; empty for none. */
  search: string
  /** Visitors search names only: a hit in a description they may not read would tell them what it says. */
  searchDescriptions: boolean
}

/** A page of teams and how many there are. The total is counted: some 20 ms at 200,000 active teams, by an index alone. */
export async function findTeams(db: Reader, query: TeamQuery): Promise<{ rows: TeamRow[]; total: number }> {
  const { sort, order, role, includeInactive, search } = query
  const window = { limit: query.limit, offset: (query.page - 1) * query.limit }
  const isPrepared = search === '' && !includeInactive
  if (!isPrepared) return searchTeams(db, query, { sort, order, ...window })
  const prepared = pages[sort][order]
  const [rows, totals] = await Promise.all(
    role === undefined
      ? [prepared.active(db, window), totalActive(db, { isActive: true })]
      : [prepared.ofRole(db, { ...window, roleId: role }), totalOfRole(db, { roleId: role })],
  )
  return { rows, total: totals[0]?.total ?? 0 }
}

/** Planned anew each time: a generic plan for `like` reads the whole table. */
async function searchTeams(db: Reader, query: TeamQuery, window: Window) {
  const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
  const where = and(
    query.includeInactive ? undefined : isActive,
    query.role === undefined ? undefined : needsRole(db, query.role),
    query.search === '' ? undefined : like(teams.searchText, pattern),
    query.search === '' || query.searchDescriptions
      ? undefined
      : like(sql`split_part(${teams.searchText}, chr(10), 1)`, pattern),
  )
  const [rows, totals] = await Promise.all([selectPage(db, where, window), selectTotal(db, where)])
  return { rows, total: totals[0]?.total ?? 0 }
}
