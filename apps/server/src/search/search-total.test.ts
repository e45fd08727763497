import { limits } from '@community/contract'
import { auditLog } from '@community/db/schema'
import { times } from '@community/testing'
import { afterAll, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'

const MAX = limits.COUNTED_TOTAL_MAX

const server = await openTestServer()
await server.sql`
  insert into users (name, email, search_text)
  select 'Counted', 'counted' || n || '@example.ma', 'counted ' || case when n <= ${MAX} then 'exactly' else 'beyond' end
  from generate_series(1, ${MAX + 1}) n`
afterAll(() => server.close())

const search = async (text: string, page = '') => {
  const admin = await server.createAdmin()
  return (await server.rest(admin)(`GET /users?limit=100&search=${text}${page}`)).body.data
}

it('counts a search’s results up to 1,000, and reports that there are more', async () => {
  const { pagination } = await search('counted')
  expect(pagination).toMatchObject({ total: MAX, totalIsCapped: true, totalPages: 11 })
  expect((await search('exactly')).pagination).toMatchObject({ total: MAX, totalPages: 10 })
  expect((await search('exactly')).pagination).not.toHaveProperty('totalIsCapped')
})

it('leads clients that page by number to the last result', async () => {
  const { users, pagination } = await search('counted', '&page=11')
  expect(users).toHaveLength(1)
  expect(pagination.nextCursor).toBeNull()
  expect(pagination.totalPages).toBe(11)
})

it('leads a client past the end back to the last page', async () => {
  const { users, pagination } = await search('counted', '&page=13')
  expect(users).toEqual([])
  expect(pagination.totalPages).toBe(11)
})

it('counts the pages of any size', async () => {
  const admin = await server.createAdmin()
  const { body } = await server.rest(admin)('GET /users?search=counted&limit=30&page=34')
  expect(body.data.pagination).toMatchObject({ totalIsCapped: true, totalPages: 34, nextCursor: null })
})

it('counts the entries of the audit log in the same way', async () => {
  const admin = await server.createAdmin()
  const listed = async (query: string) => {
    const { body } = await server.rest(admin)(`GET /admin/audit?limit=1${query}`)
    const { total, totalIsCapped, totalPages } = body.data.pagination
    return { total, totalIsCapped, totalPages }
  }
  const insert = (count: number, action: string) =>
    server.db.insert(auditLog).values(times(count, () => ({ actorName: 'Judge', action })))
  await insert(MAX - 10, 'admin.warn')
  expect(await listed('&action=admin.warn')).toEqual({
    total: MAX - 10,
    totalIsCapped: undefined,
    totalPages: MAX - 10,
  })
  await insert(20, 'admin.ban')
  expect(await listed('')).toEqual({ total: MAX, totalIsCapped: true, totalPages: MAX + 1 })
  expect(await listed('&action=admin.ban')).toEqual({ total: 20, totalIsCapped: undefined, totalPages: 20 })
})
