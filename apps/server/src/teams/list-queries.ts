import type { contract, ParsedInput } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { teamRolesNeeded, teams } from '@community/db/schema'
import { and, eq, exists, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { readCountedTotal } from '../pagination/counts.ts'
import { findFiltered, idsCondition, loadRows } from '../pagination/filtered-page.ts'
import {
  countUpToMax,
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
/** Starts at the role's rows and stops at the cap, so one plan suits every role. */
const countForRole = (db: Reader, role: string | Placeholder, where: SQL | undefined) =>
  countUpToMax(
    db,
    sql`select from ${teamRolesNeeded} join ${teams} on ${teams.id} = ${teamRolesNeeded.teamId}
      where ${and(eq(teamRolesNeeded.roleId, role), where)}`,
  )
const totalForRole = prepared('teams.total.role', (db) => countForRole(db, roleId, activeCondition))
const rowsOfIds = prepared('teams.by-ids', (db) => db.select(teamColumns).from(teams).where(idsCondition(teams)))

export interface TeamQuery extends PageInput, Pick<ListInput, 'sort' | 'order' | 'includeInactive' | 'updatedSince'> {
  role?: string | undefined
  /** Normalised by `searchKey`; empty without a search. */
  search: string
  /** False for visitors: matches in descriptions would reveal text they may not read. */
  searchesDescriptions: boolean
}

/**
 * A page of teams and their total. The total of all or all active teams is read from the `counts` table; the matches of a search, a role or
 * `updatedSince` are counted up to `COUNTED_TOTAL_MAX`.
 */
export async function findTeams(db: Reader, query: TeamQuery): Promise<Page<TeamRow>> {
  const { sort, order: direction, role, includeInactive, search, updatedSince } = query
  const { order, active, forRole } = pages[sort][direction]
  const roleFilter = role === undefined ? undefined : roleCondition(db, role)
  if (search !== '' || updatedSince !== undefined) {
    const searchCondition = query.searchesDescriptions ? textCondition : nameCondition
    const list = {
      table: teams,
      order,
      // The indexes begin with `is_active`; names have one without it.
      ...(includeInactive ? { hasNoOrderIndex: sort !== 'name' } : { indexCondition: activeCondition }),
      filter: and(
        roleFilter,
        search === '' ? undefined : searchCondition(teams.searchText, search),
        updatedSince === undefined ? undefined : updatedSinceCondition(teams.updatedAt, updatedSince),
      ),
    }
    return loadRows(await findFiltered(db, list, query), (ids) => rowsOfIds(db, { ids }))
  }
  if (includeInactive) {
    const rows = queryPage(db, order, query, (reader, window) => selectPage(reader, order, roleFilter, window))
    const total =
      role === undefined ? readCountedTotal(db, 'teams_active', 'teams_inactive') : countForRole(db, role, undefined)
    return withTotal(rows, total)
  }
  return role === undefined
    ? withTotal(active(db, query), readCountedTotal(db, 'teams_active'))
    : withTotal(forRole(db, query, { roleId: role }), totalForRole(db, { roleId: role }))
}
