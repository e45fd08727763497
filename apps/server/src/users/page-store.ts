import type { contract, Parsed } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { users } from '@community/db/schema'
import { and, count, eq, like, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type ListedRow, listedColumns } from './views.ts'

type ListInput = Parsed<typeof contract.users.list>
type Sort = ListInput['sort']
type Order = ListInput['order']

// Written as the indexes are, or they would not be read; descending is the exact reverse of ascending, ties too.
const lowerName = sql`lower(${users.name})`
const lowerEmail = sql`lower(${users.email})`
const ORDERS: Record<Sort, Record<Order, SQL[]>> = {
  createdAt: {
    asc: [sql`${users.createdAt} asc nulls first`, sql`${users.id} desc`],
    desc: [sql`${users.createdAt} desc nulls last`, sql`${users.id}`],
  },
  name: { asc: [lowerName, sql`${users.id}`], desc: [sql`${lowerName} desc`, sql`${users.id} desc`] },
  email: { asc: [lowerEmail], desc: [sql`${lowerEmail} desc`] },
  warnings: {
    asc: [sql`${users.warningCount}`, sql`${users.id}`],
    desc: [sql`${users.warningCount} desc`, sql`${users.id} desc`],
  },
}

interface Window {
  limit: number | Placeholder
  offset: number | Placeholder
}

const selectPage = (db: Reader, where: SQL | undefined, order: SQL[], { limit, offset }: Window) =>
  db
    .select(listedColumns)
    .from(users)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
const selectTotal = (db: Reader, where: SQL | undefined) => db.select({ total: count() }).from(users).where(where)

/** Who passes the filters; the search text holds name and e-mail, folded. */
const passing = ({ role, status }: ListInput, search: string) =>
  and(
    role === undefined ? undefined : eq(users.role, role),
    status === undefined ? undefined : eq(users.isBanned, status === 'banned'),
    search === '' ? undefined : like(users.searchText, `%${search.replace(/[\\%_]/g, '\\$&')}%`),
  )

const window = { limit: sql.placeholder('limit'), offset: sql.placeholder('offset') }
const prepareSort = (sort: Sort) => ({
  asc: statement(`users.page.${sort}.asc`, (db) => selectPage(db, undefined, ORDERS[sort].asc, window)),
  desc: statement(`users.page.${sort}.desc`, (db) => selectPage(db, undefined, ORDERS[sort].desc, window)),
})
/** A plan of its own for each order, so that each reads the index made for it. */
const pages: Record<Sort, ReturnType<typeof prepareSort>> = {
  createdAt: prepareSort('createdAt'),
  name: prepareSort('name'),
  email: prepareSort('email'),
  warnings: prepareSort('warnings'),
}
// The parameter is for postgres.js: it prepares no statement that has none.
const totalOfAll = statement('users.total', (db) => selectTotal(db, sql`${sql.placeholder('all')}::boolean`))

/** A page of accounts and how many pass. `search` is folded by `searchKey`; empty for none. Filters are planned anew. */
export async function findUsers(
  db: Reader,
  input: ListInput,
  search: string,
): Promise<{ rows: ListedRow[]; total: number }> {
  const { sort, order, limit } = input
  const at = { limit, offset: (input.page - 1) * limit }
  const where = passing(input, search)
  const [rows, totals] = await Promise.all(
    where === undefined
      ? [pages[sort][order](db, at), totalOfAll(db, { all: true })]
      : [selectPage(db, where, ORDERS[sort][order], at).execute(), selectTotal(db, where).execute()],
  )
  return { rows, total: totals[0]?.total ?? 0 }
}
