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

/** Descending is the exact reverse of ascending, including ties, so both directions use one index without sorting. */
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

/** Limits before joining, so that only the page's rows are read from the table. */
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
    // Not kept: some roles are needed by few teams and some by all, so each role needs its own plan.
    ofRole: pagedStatement(`${name}.role`, order, (db, window) =>
      selectPage(db, order, and(isActive, needsRole(db, roleId)), { ...window, isPlanKept: false }),
    ),
  }
}
const prepareSort = (sort: Sort) => ({ asc: prepareOrder(sort, 'asc'), desc: prepareOrder(sort, 'desc') })
/** One statement per order, so that each uses its own index. */
const pages: Record<Sort, Record<Order, ReturnType<typeof prepareOrder>>> = {
  name: prepareSort('name'),
  members: prepareSort('members'),
  points: prepareSort('points'),
  challenges: prepareSort('challenges'),
}
const totalOfRole = prepared('teams.total.role', (db) => selectTotal(db, and(isActive, needsRole(db, roleId))))

export interface TeamQuery extends Paging, Pick<ListInput, 'sort' | 'order' | 'includeInactive'> {
  role?: string | undefined
  /** Folded by `searchKey`; empty for none. */
  search: string
  /** False for visitors: matches in descriptions would reveal text they may not read. */
  searchDescriptions: boolean
}

/** A page of teams and the total: counted for a filter, else read from `counts`. */
export function findTeams(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const { sort, order, role, includeInactive, search } = query
  if (search !== '' || includeInactive) return searchTeams(db, query)
  const prepared = pages[sort][order]
  return role === undefined
    ? counted(prepared.active(db, query), countOf(db, 'teams_active'))
    : counted(prepared.ofRole(db, query, { roleId: role }), totalOfRole(db, { roleId: role }))
}

/** Not prepared: a generic plan for `like` scans the whole table. */
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
