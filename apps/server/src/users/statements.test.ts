import { contract, USER_SORTS } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { meteredPool } from '../../test/counting-pool.ts'
import { calling } from '../../test/stage.ts'
import { openWorkStage, type WorkStage, workDeps } from '../../test/work-stage.ts'
import type { Caller } from '../context.ts'
import { usersUseCases } from './router.ts'

let stage: WorkStage
let pool: Awaited<ReturnType<typeof meteredPool>>
let who: Caller

beforeAll(async () => {
  stage = await openWorkStage()
  who = await stage.member()
  for (let left = 8; left > 0; left--) {
    const team = await stage.team({ members: [who] })
    await stage.applied(team, (await stage.challenge()).id)
  }
  pool = await meteredPool(stage)
})
afterAll(() => stage.close())

const as = (user: Caller) => calling(pool.db, user, workDeps(pool.db, stage.storage))

describe('account reads run a fixed number of prepared statements', () => {
  it('a user: 3', async () => {
    for (const viewer of [who, stage.judge])
      expect(await pool.costOf(() => as(viewer)(contract.users.get, usersUseCases.get)({ id: who.id }))).toEqual({
        count: 3,
        unprepared: [],
      })
  })
  it('the dashboard: 7', async () => {
    const call = () => as(who)(contract.users.dashboard, usersUseCases.dashboard)()
    expect(await pool.costOf(call)).toEqual({ count: 7, unprepared: [] })
  })
  it('own submissions: 2', async () => {
    const call = () => as(who)(contract.users.submissions, usersUseCases.submissions)({})
    expect(await pool.costOf(call)).toEqual({ count: 2, unprepared: [] })
  })
  it.each(['createdAt', 'name', 'email', 'warnings'] as const)(
    'the account list by %s: 2, unprepared when searching',
    async (sort) => {
      const list = (input: object) => () => as(stage.judge)(contract.users.list, usersUseCases.list)({ sort, ...input })
      expect(await pool.costOf(list({}))).toEqual({ count: 2, unprepared: [] })
      const { count, unprepared } = await pool.costOf(list({ search: 'member', status: 'active' }))
      expect([count, unprepared.length]).toEqual([2 + 3, 2 + 1])
    },
  )
  it.each(USER_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'the account list by %s %s reads an index without sorting',
    async (sort, order) => {
      pool.sent.length = 0
      await as(stage.judge)(contract.users.list, usersUseCases.list)({ sort, order })
      const page = pool.sent.find((statement) => statement.includes('order by'))?.replace(/\$\d/g, '1')
      const plan = await pool.sql.begin(async (tx) => {
        // A handful of rows is quickest read as they lie.
        await tx`set local enable_seqscan = off`
        return tx.unsafe(`explain ${page}`)
      })
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Sort')
    },
  )
})
