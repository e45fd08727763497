import type { contract, Parsed } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { teamRolesNeeded, teams } from '@community/db/schema'
import { and, count, eq, exists, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { countOf } from '../pagination/counts.ts'
import {
  counted,
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
import { nameMatches, textMatches } from '../search/search-condition.ts'
import { isActive, teamColumns, type TeamRow } from './queries.ts'

type ListInput = Parsed<typeof contract.teams.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

const SORT_KEYS = {
  name: [],
  members: [{ on: teams.memberCount, type: 'bigint' }],
  points: [{ on: teams.points, type: 'bigint' }],
  challenges: [{ on: teams.challengesCompleted, type: 'bigint' }],
} as const satisfies Record<Sort, SortKey[]>
const TIES: SortKey[] = [
  { on: teams.nameKey, type: 'text' },
  { on: teams.id, type: 'uuid' },
]

/** Descending is the exact reverse of ascending, ties too: both directions read one index and sort nothing. */
const orderOf = (sort: Sort, direction: Order): ListOrder =>
  listOrder(
    `teams.${sort}.${direction}`,
    [...SORT_KEYS[sort], ...TIES].map((key) => ({ ...key, direction })),
  )

const needsRole = (db: Reader, roleId: string | Placeholder) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(teamRolesNeeded)
      .where(and(eq(teamRolesNeeded.teamId, teams.id), eq(teamRolesNeeded.roleId, roleId))),
  )

/** Limit first, join after: only the page's rows are read from the table, wherever it begins. */
function selectPage(db: Reader, order: ListOrder, where: SQL | undefined, window: Window) {
  const page = idsOf(db, teams, order, where, window)
  return db
    .select({ ...teamColumns, key: order.key })
    .from(page)
    .innerJoin(teams, eq(teams.id, page.id))
    .orderBy(...order.orderBy)
}

const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(teams).where(where)

const roleId = sql.placeholder('roleId')

const prepareOrder = (sort: Sort, direction: Order) => {
  const order = orderOf(sort, direction)
  const name = `teams.page.${sort}.${direction}`
  return {
    order,
    active: pagedStatement(name, order, (db, window) => selectPage(db, order, isActive, window)),
    // Few teams need one role and all need another: planned for the one asked for.
    ofRole: pagedStatement(`${name}.role`, order, (db, window) =>
      selectPage(db, order, and(isActive, needsRole(db, roleId)), { ...window, isPlanKept: false }),
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
const totalOfRole = prepared('teams.total.role', (db) => selectTotal(db, and(isActive, needsRole(db, roleId))))

export interface TeamQuery extends Paging, Pick<ListInput, 'sort' | 'order' | 'includeInactive'> {
  role?: string | undefined
  /** Folded by the contract's `searchKey`; empty for none. */
  search: string
  /** Visitors search names only: a hit in a description they may not read would tell them what it says. */
  searchDescriptions: boolean
}

/** A page of teams and how many there are. Those that pass a filter are counted; all active ones have been. */
export function findTeams(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const { sort, order, role, includeInactive, search } = query
  if (search !== '' || includeInactive) return searchTeams(db, query)
  const prepared = pages[sort][order]
  return role === undefined
    ? counted(prepared.active(db, query), countOf(db, 'teams_active'))
    : counted(prepared.ofRole(db, query, { roleId: role }), totalOfRole(db, { roleId: role }))
}

/** Planned anew each time: a generic plan for `like` reads the whole table. */
function searchTeams(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const matches = query.searchDescriptions ? textMatches : nameMatches
  const where = and(
    query.includeInactive ? undefined : isActive,
    query.role === undefined ? undefined : needsRole(db, query.role),
    query.search === '' ? undefined : matches(teams.searchText, query.search),
  )
  const { order } = pages[query.sort][query.order]
  const rows = pagedQuery(db, order, query, (reader, window) => selectPage(reader, order, where, window))
  return counted(rows, selectTotal(db, where))
}
