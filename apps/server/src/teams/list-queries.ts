import type { contract, ParsedInput } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { teamRolesNeeded, teams } from '@community/db/schema'
import { and, count, eq, exists, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { readCount } from '../pagination/counts.ts'
import {
  countSearched,
  withTotal,
  selectIds,
  type Page,
  queryPage,
  preparePages,
  type PageInput,
  type PageWindow,
} from '../pagination/keyset.ts'
import { type ListOrder, listOrder, type SortKey } from '../pagination/list-order.ts'
import { updatedSinceCondition } from '../pagination/updated-since.ts'
import { nameCondition, textCondition } from '../search/search-condition.ts'
import { activeCondition, teamColumns, type TeamRow } from './queries.ts'

type ListInput = ParsedInput<typeof contract.teams.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

const SORT_KEYS = {
  name: [],
  members: [{ expression: teams.memberCount, type: 'bigint' }],
  points: [{ expression: teams.points, type: 'bigint' }],
  challenges: [{ expression: teams.challengesCompleted, type: 'bigint' }],
} as const satisfies Record<Sort, SortKey[]>
const TIE_BREAKERS: SortKey[] = [
  { expression: teams.nameKey, type: 'text' },
  { expression: teams.id, type: 'uuid' },
]

/** Descending is the exact reverse of ascending, including ties, so both directions use one index without sorting. */
const orderOf = (sort: Sort, direction: Order): ListOrder =>
  listOrder(
    `teams.${sort}.${direction}`,
    [...SORT_KEYS[sort], ...TIE_BREAKERS].map((key) => ({ ...key, direction })),
  )

const roleCondition = (db: Reader, roleId: string | Placeholder) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(teamRolesNeeded)
      .where(and(eq(teamRolesNeeded.teamId, teams.id), eq(teamRolesNeeded.roleId, roleId))),
  )

/** Selects the page's ids before joining, so that only its rows are read from the table. */
function selectPage(db: Reader, order: ListOrder, where: SQL | undefined, window: PageWindow) {
  const page = selectIds(db, teams, order, where, window)
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
    active: preparePages(name, order, (db, window) => selectPage(db, order, activeCondition, window)),
    // Not generic: some roles are needed by few teams and some by all, so each role needs its own plan.
    forRole: preparePages(`${name}.role`, order, (db, window) =>
      selectPage(db, order, and(activeCondition, roleCondition(db, roleId)), { ...window, usesGenericPlan: false }),
    ),
  }
}
const prepareSort = (sort: Sort) => ({ asc: prepareOrder(sort, 'asc'), desc: prepareOrder(sort, 'desc') })
/** Separate statements per sort and direction, so that each can use its own index. */
const pages: Record<Sort, Record<Order, ReturnType<typeof prepareOrder>>> = {
  name: prepareSort('name'),
  members: prepareSort('members'),
  points: prepareSort('points'),
  challenges: prepareSort('challenges'),
}
const totalForRole = prepared('teams.total.role', (db) =>
  selectTotal(db, and(activeCondition, roleCondition(db, roleId))),
)

export interface TeamQuery extends PageInput, Pick<ListInput, 'sort' | 'order' | 'includeInactive' | 'updatedSince'> {
  role?: string | undefined
  /** Normalised by `searchKey`; empty without a search. */
  search: string
  /** False for visitors: matches in descriptions would reveal text they may not read. */
  searchesDescriptions: boolean
}

/** A page of teams and their total: counted if a filter applies, otherwise read from the `counts` table. */
export function findTeams(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const { sort, order, role, includeInactive, search, updatedSince } = query
  if (search !== '' || includeInactive || updatedSince !== undefined) return findTeamsUnprepared(db, query)
  const pagesOfOrder = pages[sort][order]
  return role === undefined
    ? withTotal(pagesOfOrder.active(db, query), readCount(db, 'teams_active'))
    : withTotal(pagesOfOrder.forRole(db, query, { roleId: role }), totalForRole(db, { roleId: role }))
}

/** For searches, lists with inactive teams and those of recent changes. Not prepared: a generic plan for a search would scan the whole table. */
function findTeamsUnprepared(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const searchCondition = query.searchesDescriptions ? textCondition : nameCondition
  const where = and(
    query.includeInactive ? undefined : activeCondition,
    query.role === undefined ? undefined : roleCondition(db, query.role),
    query.search === '' ? undefined : searchCondition(teams.searchText, query.search),
    updatedSinceCondition(teams.updatedAt, query.updatedSince ?? null),
  )
  const { order } = pages[query.sort][query.order]
  const rows = queryPage(db, order, query, (reader, window) => selectPage(reader, order, where, window))
  return withTotal(rows, query.search === '' ? selectTotal(db, where) : countSearched(db, teams, where))
}
