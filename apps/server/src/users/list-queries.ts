import { type contract, limits, type ParsedInput } from '@community/contract'
import { prepared, type Reader } from '@community/db'
import { users } from '@community/db/schema'
import { and, count, eq, sql } from 'drizzle-orm'
import { readCountedTotal } from '../pagination/counts.ts'
import { findFiltered, findMatches, idsCondition, loadRows } from '../pagination/filtered-page.ts'
import { type Page, type PageWindow, preparePages, withTotal } from '../pagination/keyset.ts'
import { type ListOrder, listOrder, type SortKey } from '../pagination/list-order.ts'
import { textCondition } from '../search/search-condition.ts'
import { type UserListRow, userListColumns } from './account-queries.ts'

type ListInput = ParsedInput<typeof contract.users.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

const byId: SortKey = { expression: users.id, type: 'uuid' }
const reverse = (keys: SortKey[]): SortKey[] => keys.map((key) => ({ ...key, direction: 'desc' }))
// Directions as in the indexes, or PostgreSQL would not use them. Descending is the exact reverse of ascending, including ties.
const byName: SortKey[] = [{ expression: sql`lower(${users.name})`, type: 'text' }, byId]
const byEmail: SortKey[] = [{ expression: sql`lower(${users.email})`, type: 'text' }]
const byWarnings: SortKey[] = [{ expression: users.warningCount, type: 'bigint' }, byId]
const byTime = { expression: users.createdAt, type: 'timestamptz' } as const
const SORT_KEYS: Record<Sort, Record<Order, SortKey[]>> = {
  createdAt: {
    asc: [
      { ...byTime, direction: 'asc nulls first' },
      { ...byId, direction: 'desc' },
    ],
    desc: [{ ...byTime, direction: 'desc nulls last' }, byId],
  },
  name: { asc: byName, desc: reverse(byName) },
  email: { asc: byEmail, desc: reverse(byEmail) },
  warnings: { asc: byWarnings, desc: reverse(byWarnings) },
}

const selectPage = (db: Reader, order: ListOrder, { after, limit, offset }: PageWindow) =>
  db
    .select({ ...userListColumns, key: order.key })
    .from(users)
    .where(after)
    .orderBy(...order.orderBy)
    .limit(limit)
    .offset(offset)
const rowsOfIds = prepared('users.by-ids', (db) => db.select(userListColumns).from(users).where(idsCondition(users)))
const adminsTotal = prepared('users.admins-total', (db) =>
  db.select({ total: count() }).from(users).where(sql`${users.role} = 'admin'`),
)

/** `searchText` holds the normalised name and email. */
const filterCondition = ({ role, status }: ListInput, search: string) =>
  and(
    role === undefined ? undefined : eq(users.role, role),
    status === undefined ? undefined : eq(users.isBanned, status === 'banned'),
    search === '' ? undefined : textCondition(users.searchText, search),
  )

const prepareOrder = (sort: Sort, direction: Order) => {
  const order = listOrder(`users.${sort}.${direction}`, SORT_KEYS[sort][direction])
  const allPages = preparePages(`users.page.${sort}.${direction}`, order, (db, window) => selectPage(db, order, window))
  return { order, allPages }
}
const prepareSort = (sort: Sort) => ({ asc: prepareOrder(sort, 'asc'), desc: prepareOrder(sort, 'desc') })
/** One statement per order, so that each uses its own index. */
const pages: Record<Sort, ReturnType<typeof prepareSort>> = {
  createdAt: prepareSort('createdAt'),
  name: prepareSort('name'),
  email: prepareSort('email'),
  warnings: prepareSort('warnings'),
}

/** The exact number of accounts with a role and a status. `counts` has none per role; administrators cannot be banned. */
async function readTotal(db: Reader, { role, status }: ListInput): Promise<number> {
  const admins = async () => (role === undefined || status === 'banned' ? 0 : ((await adminsTotal(db))[0]?.total ?? 0))
  const all = async () => {
    const names = { active: ['users_in_good_standing'], banned: ['users_banned'] } as const
    const [row] = await readCountedTotal(db, ...(status ? names[status] : [...names.active, ...names.banned]))
    return row?.total ?? 0
  }
  if (role === 'admin') return admins()
  const [total, ofAdmins] = await Promise.all([all(), admins()])
  return total - ofAdmins
}

/** A page of accounts and the total. `search` is normalised by `searchKey`; empty for none. */
export async function findUsers(db: Reader, input: ListInput, search: string): Promise<Page<UserListRow>> {
  const { order, allPages } = pages[input.sort][input.order]
  const filter = filterCondition(input, search)
  if (filter === undefined)
    return withTotal(allPages(db, input), readCountedTotal(db, 'users_in_good_standing', 'users_banned'))
  const list = { table: users, order, filter }
  const find = async () => {
    if (search !== '') return findFiltered(db, list, input)
    const total = await readTotal(db, input)
    return { ...(await findMatches(db, list, input, { skipsScan: total <= limits.COUNTED_TOTAL_MAX })), total }
  }
  return loadRows(await find(), (ids) => rowsOfIds(db, { ids }))
}
