import type { contract, Parsed } from '@community/contract'
import type { Reader } from '@community/db'
import { users } from '@community/db/schema'
import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { countOf } from '../pagination/counts.ts'
import {
  counted,
  type ListOrder,
  listOrder,
  type Page,
  pagedQuery,
  pagedStatement,
  type SortKey,
  type Window,
} from '../pagination/keyset.ts'
import { textMatches } from '../search/search-condition.ts'
import { type ListedRow, listedColumns } from './views.ts'

type ListInput = Parsed<typeof contract.users.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

const byId: SortKey = { on: users.id, type: 'uuid' }
const reversed = (keys: SortKey[]): SortKey[] => keys.map((key) => ({ ...key, direction: 'desc' }))
// Directions as in the indexes, or they would not be used. Descending is the exact reverse of ascending, including ties.
const byName: SortKey[] = [{ on: sql`lower(${users.name})`, type: 'text' }, byId]
const byEmail: SortKey[] = [{ on: sql`lower(${users.email})`, type: 'text' }]
const byWarnings: SortKey[] = [{ on: users.warningCount, type: 'bigint' }, byId]
const byTime = { on: users.createdAt, type: 'timestamptz' } as const
const KEYS: Record<Sort, Record<Order, SortKey[]>> = {
  createdAt: {
    asc: [
      { ...byTime, direction: 'asc nulls first' },
      { ...byId, direction: 'desc' },
    ],
    desc: [{ ...byTime, direction: 'desc nulls last' }, byId],
  },
  name: { asc: byName, desc: reversed(byName) },
  email: { asc: byEmail, desc: reversed(byEmail) },
  warnings: { asc: byWarnings, desc: reversed(byWarnings) },
}

const selectPage = (db: Reader, order: ListOrder, where: SQL | undefined, { after, limit, offset }: Window) =>
  db
    .select({ ...listedColumns, key: order.key })
    .from(users)
    .where(and(where, after))
    .orderBy(...order.orderBy)
    .limit(limit)
    .offset(offset)
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(users).where(where)

/** `searchText` holds the normalised name and email address. */
const passing = ({ role, status }: ListInput, search: string) =>
  and(
    role === undefined ? undefined : eq(users.role, role),
    status === undefined ? undefined : eq(users.isBanned, status === 'banned'),
    search === '' ? undefined : textMatches(users.searchText, search),
  )

const prepareOrder = (sort: Sort, direction: Order) => {
  const order = listOrder(`users.${sort}.${direction}`, KEYS[sort][direction])
  const all = pagedStatement(`users.page.${sort}.${direction}`, order, (db, window) =>
    selectPage(db, order, undefined, window),
  )
  return { order, all }
}
const prepareSort = (sort: Sort) => ({ asc: prepareOrder(sort, 'asc'), desc: prepareOrder(sort, 'desc') })
/** One statement per order, so that each uses its own index. */
const pages: Record<Sort, ReturnType<typeof prepareSort>> = {
  createdAt: prepareSort('createdAt'),
  name: prepareSort('name'),
  email: prepareSort('email'),
  warnings: prepareSort('warnings'),
}

/** A page of accounts and the total. `search` is normalised by `searchKey`; empty for none. Not prepared with filters. */
export function findUsers(db: Reader, input: ListInput, search: string): Promise<Page<ListedRow>> {
  const { order, all } = pages[input.sort][input.order]
  const where = passing(input, search)
  if (where === undefined) return counted(all(db, input), countOf(db, 'users_in_good_standing', 'users_banned'))
  const rows = pagedQuery(db, order, input, (reader, window) => selectPage(reader, order, where, window))
  return counted(rows, selectTotal(db, where))
}
