import { contract, USER_SORTS } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { createProcedureBuilder } from '../../test/fixture.ts'
import { openWorkFixture, createWorkDeps } from '../../test/work-fixture.ts'
import type { Caller } from '../context.ts'
import { usersUseCases } from './router.ts'

const fixture = await openWorkFixture()
const caller = await fixture.createMember()
for (let remaining = 8; remaining > 0; remaining--) {
  const team = await fixture.createTeam({ members: [caller] })
  await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
}
const pool = await openMeteredPool(fixture)
afterAll(() => fixture.close())

const as = (user: Caller) => createProcedureBuilder(pool.db, user, createWorkDeps(pool.db, fixture.storage))

describe('account reads run a fixed number of prepared statements', () => {
  it('a user: 3', async () => {
    for (const viewer of [caller, fixture.judge])
      expect(await pool.measure(() => as(viewer)(contract.users.get, usersUseCases.get)({ id: caller.id }))).toEqual({
        count: 3,
        unprepared: [],
      })
  })
  it('the dashboard: 5, and 2 without a team', async () => {
    const call = (user: Caller) => () => as(user)(contract.users.dashboard, usersUseCases.dashboard)()
    // Prepares the statements.
    await call(caller)()
    expect(await pool.measure(call(caller))).toEqual({ count: 5, unprepared: [] })
    expect(pool.roundTrips()).toBe(2)
    expect(await pool.measure(call(await fixture.createMember()))).toEqual({ count: 2, unprepared: [] })
  })
  it('the dashboard and the page of a member of one team, without a statement for several: each call would plan it', async () => {
    const { chef } = await fixture.createTeam()
    for (const read of [
      () => as(chef)(contract.users.dashboard, usersUseCases.dashboard)(),
      () => as(chef)(contract.users.get, usersUseCases.get)({ id: chef.id }),
    ]) {
      await pool.measure(read)
      expect(pool.sent.filter((statement) => statement.includes('any('))).toEqual([])
    }
  })
  it('own submissions: 2', async () => {
    const call = () => as(caller)(contract.users.submissions, usersUseCases.submissions)({})
    expect(await pool.measure(call)).toEqual({ count: 2, unprepared: [] })
  })
  it.each(['createdAt', 'name', 'email', 'warnings'] as const)(
    'the account list by %s: 2, unprepared when searching',
    async (sort) => {
      const list = (input: object) => () =>
        as(fixture.judge)(contract.users.list, usersUseCases.list)({ sort, ...input })
      expect(await pool.measure(list({}))).toEqual({ count: 2, unprepared: [] })
      const { count, unprepared } = await pool.measure(list({ search: 'member', status: 'active' }))
      expect([count, unprepared.length]).toEqual([2 + 2, 1 + 1])
    },
  )
  it.each(USER_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'the account list by %s %s reads an index without sorting',
    async (sort, order) => {
      pool.sent.length = 0
      await as(fixture.judge)(contract.users.list, usersUseCases.list)({ sort, order })
      const page = pool.sent.find((statement) => statement.includes('order by'))?.replace(/\$\d/g, '1')
      const plan = await pool.sql.begin(async (tx) => {
        // For a handful of rows a sequential scan is fastest.
        await tx`set local enable_seqscan = off`
        return tx.unsafe(`explain ${page}`)
      })
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Sort')
    },
  )
})
