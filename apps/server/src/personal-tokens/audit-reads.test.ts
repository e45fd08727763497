import { createTestDatabase } from '@community/testing/database'
import { expect, it, onTestFinished } from 'vitest'
import { createToken } from '../../test/personal-token.ts'
import { openTestServerOn } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'

const READS = 60

it('counts every read that two processes answer at the same time', async () => {
  const database = await createTestDatabase()
  const server = await openTestServerOn(database)
  const pool = database.connect()
  const other = await buildApp({ ...server.deps, db: pool.db })
  onTestFinished(async () => {
    await other.close()
    await pool.close()
    await server.close()
  })
  const { token } = await createToken(server, await server.createAdmin(), 'admin')
  const read = (index: number) =>
    (index % 2 === 0 ? server.app : other).inject({
      url: '/api/admin/settings',
      headers: { authorization: `Bearer ${token}` },
    })
  const startedAt = Date.now()
  const responses = await Promise.all(Array.from({ length: READS }, (_, index) => read(index)))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  // Two entries if a full hour passes meanwhile.
  const [row] = await server.sql<{ uses: number; last: number }[]>`
    select sum(uses)::int as uses, extract(epoch from max(last_used_at))::float8 * 1000 as last from audit_log where action = 'users.useToken'`
  expect(row?.uses).toBe(READS)
  expect(row?.last).toBeGreaterThanOrEqual(startedAt)
})
