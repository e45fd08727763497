import { auditLog } from '@community/db/schema'
import { times } from '@community/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await openTestServer()
  admin = await server.createAdmin()
})
afterAll(() => server.close())

it('counts the entries of the audit log up to 1,000', async () => {
  const listed = async (query: string) => {
    const { body } = await server.rest(admin)(`GET /admin/audit?limit=1${query}`)
    const { total, totalIsCapped, totalPages } = body.data.pagination
    return { total, totalIsCapped, totalPages }
  }
  await server.db.insert(auditLog).values(times(990, () => ({ actorName: 'Judge', action: 'admin.warn' })))
  expect(await listed('&action=admin.warn')).toEqual({ total: 990, totalIsCapped: undefined, totalPages: 990 })
  await server.db.insert(auditLog).values(times(20, () => ({ actorName: 'Judge', action: 'admin.ban' })))
  expect(await listed('')).toEqual({ total: 1000, totalIsCapped: true, totalPages: 1001 })
  expect(await listed('&action=admin.ban')).toEqual({ total: 20, totalIsCapped: undefined, totalPages: 20 })
})
