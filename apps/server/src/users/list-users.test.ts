import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { accountSearchText } from '../search/search-text.ts'

interface Listed {
  id: string
  name: string
  email: string
  role: string
  warnings: number
  createdAt: string
  isBanned: boolean
}

const NAMES = ['Zineb', 'amina', 'Émile', 'Bilal', 'سارة العمراني', 'amina', '100% Sara', 'under_score', 'Karim']
const server = await openTestServer()
const admin = await server.createAdmin()
for (const [n, name] of NAMES.entries()) {
  const email = `${randomBytes(3).toString('hex')}.p${n}@example.ma`
  const isBanned = name === 'Karim'
  await server.sql`insert into users (name, email, search_text, warning_count, created_at, is_banned, ban_reason, banned_at)
    values (${name}, ${email}, ${accountSearchText(name, email)}, ${n % 3}, now() - make_interval(days => ${n % 5}),
      ${isBanned}, ${isBanned ? 'spam' : null}, case when ${isBanned} then now() end)`
}
afterAll(() => server.close())

const list = async (query = '') => (await server.rest(admin)(`GET /users?limit=100&${query}`)).body.data
const namesOf = async (query: string): Promise<string[]> => (await list(query)).users.map(({ name }: Listed) => name)

describe('the list of accounts', () => {
  it('is for administrators and leaves out private fields', async () => {
    expect((await server.rest(await server.createMember())('GET /users')).body.code).toBe('ADMINS_ONLY')
    expect((await server.trpc(await server.createMember(), 'users.list', {})).failure.code).toBe('ADMINS_ONLY')
    const { users } = await list()
    expect(users.length).toBeGreaterThan(NAMES.length)
    expect(Object.keys(users[0]).toSorted()).toEqual(
      'id _id name email role avatarUrl isBanned banReason warnings createdAt'.split(' ').toSorted(),
    )
  })

  it.each([
    ['sara', ['100% Sara']],
    ['EMILE', ['Émile']],
    ['ساره', ['سارة العمراني']],
    ['100%', ['100% Sara']],
    ['%', ['100% Sara']],
    ['_', ['under_score']],
    ['\\', []],
    ['.p3@example', ['Bilal']],
    ['nobody at all', []],
  ])('returns for the search %j the accounts %j', async (search, names) => {
    expect(await namesOf(`search=${encodeURIComponent(search)}`)).toEqual(names)
  })

  it('filters by role and status and counts the matches', async () => {
    expect(await namesOf('role=admin')).toEqual(['Lalla Admin'])
    expect(await namesOf('status=banned')).toEqual(['Karim'])
    const active = await list('status=active&role=member&search=amina')
    expect([active.users.length, active.pagination.total]).toEqual([2, 2])
    expect((await server.rest(admin)('GET /users?role=boss')).status).toBe(400)
  })

  it.each(['role=admin', 'role=member', 'status=active', 'status=banned'])('counts exactly with %s', async (filter) => {
    for (const other of ['', ...(filter.startsWith('role') ? ['&status=active', '&status=banned'] : [])]) {
      const { users, pagination } = await list(filter + other)
      expect([filter, other, pagination.total]).toEqual([filter, other, users.length])
    }
  })

  const KEYS: Record<string, (user: Listed) => string | number> = {
    createdAt: ({ createdAt }) => createdAt,
    email: ({ email }) => email,
    warnings: ({ warnings }) => warnings,
  }
  it.each(Object.keys(KEYS))('sorts by %s, descending being the exact reverse', async (sort) => {
    const up: Listed[] = (await list(`sort=${sort}&order=asc`)).users
    const down: Listed[] = (await list(`sort=${sort}&order=desc`)).users
    expect(up.map(({ id }) => id)).toEqual(down.map(({ id }) => id).toReversed())
    const keys = up.map((user) => KEYS[sort]?.(user) ?? '')
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  })
  it('sorts by name ignoring case', async () => {
    const names = (await namesOf('sort=name&order=asc')).filter((name) => /^[a-z]+$/i.test(name))
    expect(names).toEqual(['amina', 'amina', 'Bilal', 'Karim', 'Zineb'])
    expect(await namesOf('sort=name&order=desc')).toEqual((await namesOf('sort=name&order=asc')).toReversed())
  })

  const CASES = ['createdAt', 'name', 'email', 'warnings'].flatMap((sort) =>
    ['asc', 'desc'].flatMap((order) =>
      ['', 'status=active', 'search=example'].map((more) => [sort, order, more] as const),
    ),
  )
  it.each(CASES)('pages by %s %s %s without duplicates or gaps, by number and by cursor', async (sort, order, more) => {
    const query = `sort=${sort}&order=${order}&${more}`
    const idsOf = (users: Listed[]) => users.map(({ id }) => id)
    const all = idsOf((await list(query)).users)
    const [byNumber, byKey]: [string[], string[]] = [[], []]
    let cursor: string | null = null
    for (let page = 1; page <= Math.ceil(all.length / 3); page++) {
      const get = async (at: string) =>
        (await server.rest(admin)(`GET /users?limit=3&page=${page}&${query}${at}`)).body.data
      byNumber.push(...idsOf((await get('')).users))
      const { users, pagination } = await get(cursor === null ? '' : `&cursor=${cursor}`)
      expect(pagination).toMatchObject({ limit: 3, total: all.length, totalPages: Math.ceil(all.length / 3) })
      expect(pagination.page).toBe(cursor === null ? page : undefined)
      byKey.push(...idsOf(users))
      cursor = pagination.nextCursor
    }
    expect([byNumber, byKey, cursor]).toEqual([all, all, null])
  })

  it('continues after the cursor when rows were inserted before it', async () => {
    const first = (await server.rest(admin)('GET /users?limit=3')).body.data
    await server.createMember('Came Between')
    const next = (await server.rest(admin)(`GET /users?limit=3&page=2&cursor=${first.pagination.nextCursor}`)).body.data
    expect(next.users.map(({ name }: Listed) => name)).not.toContain('Came Between')
    const ids = [...first.users, ...next.users].map(({ id }: Listed) => id)
    expect(new Set(ids).size).toBe(6)
  })

  it('rejects a cursor of another order or list', async () => {
    const { nextCursor } = (await server.rest(admin)('GET /users?limit=3')).body.data.pagination
    for (const query of [
      `sort=name&cursor=${nextCursor}`,
      `order=asc&cursor=${nextCursor}`,
      'cursor=bm9uZQ',
      'cursor=!',
    ]) {
      const { status, body } = await server.rest(admin)(`GET /users?limit=3&${query}`)
      expect([query, status, body.errors]).toEqual([
        query,
        400,
        [{ path: 'cursor', msg: 'Not a valid cursor', code: expect.any(String) }],
      ])
    }
  })
})
