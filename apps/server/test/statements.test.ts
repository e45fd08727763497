import { validateStatements } from '@community/db'
import { afterAll, expect, it } from 'vitest'
import { openTestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

it('every prepared statement is valid on the migrated schema', async () => {
  expect(await validateStatements(server)).toEqual([])
  await server.sql`alter table teams rename column is_active to was_active`
  expect((await validateStatements(server)).length).toBeGreaterThan(5)
})
