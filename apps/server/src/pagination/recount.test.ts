import { expectInvariants, findViolations } from '@community/testing/database/invariants'
import { afterAll, expect, it } from 'vitest'
import { times } from '../../test/accounts.ts'
import { openTestServer } from '../../test/test-server.ts'
import { correctCounts } from './recount.ts'

const server = await openTestServer()
await server.sql`insert into users (name, email, search_text) select 'Many', 'many' || n || '@example.ma', '' from generate_series(1, 25) n`
const [user] = await server.sql`select id from users limit 1`
await server.sql`insert into warnings (user_id, reason) select ${user?.id}, 'Reason ' || n from generate_series(1, 3) n`
afterAll(() => server.close())

it('finds nothing to correct, whatever the size of its batches', async () => {
  expect(await correctCounts(server.deps, { batch: 10 })).toEqual([])
  expect(await correctCounts(server.deps, { batch: 5 })).toEqual([])
  expect(await correctCounts(server.deps)).toEqual([])
})

it('reports and corrects missing, wrong and superfluous counts', async () => {
  const { sql, deps } = server
  const [before] = await sql`select sum(amount)::int as total from counts where name = 'users_in_good_standing'`
  await sql`delete from counts where name = 'warnings'`
  await sql`insert into counts values ('users_in_good_standing', 0, 7), ('points_of_day', 1, 5)`
  expect(await findViolations(deps.db)).not.toEqual([])
  expect(await correctCounts(deps, { batch: 10 })).toEqual([
    { name: 'points_of_day', key: 1, counted: 5, actual: 0 },
    { name: 'users_in_good_standing', key: 0, counted: before?.total + 7, actual: before?.total },
    { name: 'warnings', key: 0, counted: 0, actual: 3 },
  ])
  await expectInvariants(deps.db)
  expect(await correctCounts(deps)).toEqual([])
})

it('corrects nothing because of changes that are committed meanwhile', async () => {
  const register = (n: number) =>
    server.sql`insert into users (name, email, search_text) values ('One', ${`one${n}@example.ma`}, '')`
  const found = await Promise.all([
    ...times(60, register),
    ...times(5, () => correctCounts(server.deps, { batch: 10 })),
  ])
  expect(found.slice(60)).toEqual(times(5, () => []))
  await expectInvariants(server.deps.db)
})

it('ends when the server stops', async () => {
  const stopped = AbortSignal.abort(new Error('the server stops'))
  await expect(correctCounts(server.deps, { signal: stopped })).rejects.toThrow('the server stops')
})
