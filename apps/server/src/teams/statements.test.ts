import { randomBytes } from 'node:crypto'
import { TEAM_SORTS } from '@community/contract'
import { inTransaction } from '@community/db'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { createTeamCaller, openFixture } from '../../test/fixture.ts'
import { createSecret } from '../auth/secret.ts'
import type { Caller } from '../context.ts'
import { withIdempotency } from '../http/idempotency.ts'

type Calls = ReturnType<typeof createTeamCaller>

let teamId: string

const fixture = await openFixture()
const chef = await fixture.createMember()
const [role] = await rolesOf(fixture.db)
const roleId = role.id
for (let remaining = 30; remaining > 0; remaining--) {
  const { team } = (await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [role] }))).data
  await fixture.as(await fixture.createMember()).join(validInput('teams.join', { id: team.id, role }))
  teamId = team.id
}
const pool = await openMeteredPool(fixture)
afterAll(() => fixture.close())

/** The cost of a call for any caller. */
const costOf = (call: (calls: Calls) => Promise<unknown>, user: Caller | null) =>
  pool.measure(() => call(createTeamCaller(pool.db, user)))

const READS: [string, number, number, (calls: Calls) => Promise<unknown>][] = [
  ...TEAM_SORTS.flatMap((sort) =>
    (['asc', 'desc'] as const).flatMap((order): typeof READS => [
      [`teams by ${sort} ${order}`, 3, 4, (calls) => calls.list({ sort, order, limit: 100 })],
      [`teams of a role by ${sort} ${order}`, 3, 4, (calls) => calls.list({ sort, order, role: roleId })],
    ]),
  ),
  ['a team', 2, 3, (calls) => calls.get({ id: teamId })],
  ['the leaderboard', 2, 2, (calls) => calls.leaderboard({})],
  ['the roles', 1, 1, (calls) => calls.roles()],
  ['the public settings', 1, 1, (calls) => calls.publicSettings()],
]

describe('reads take few prepared statements for any number of rows', () => {
  it.each(READS)('%s: %i for visitors, %i for members', async (_name, forVisitors, forMembers, call) => {
    expect(await costOf(call, null)).toEqual({ count: forVisitors, unprepared: [] })
    expect(await costOf(call, chef)).toEqual({ count: forMembers, unprepared: [] })
  })

  it('a team, in one round trip', async () => {
    await costOf((calls) => calls.get({ id: teamId }), chef)
    expect(pool.roundTrips()).toBe(1)
  })

  it('a repeated read is not planned again', async () => {
    const countCustomPlans = async () => {
      const [row] = await pool.db.execute(sql`select sum(custom_plans)::int as plans from pg_prepared_statements`)
      return row?.['plans']
    }
    const read = () => createTeamCaller(pool.db, chef).get({ id: teamId })
    // PostgreSQL replans a statement five times before it keeps a generic plan.
    for (let remaining = 6; remaining > 0; remaining--) await read()
    const before = await countCustomPlans()
    await read()
    expect(await countCustomPlans()).toBe(before)
  })

  it('a user’s teams: 5', async () => {
    expect(await costOf((calls) => calls.teamsOf({ id: chef.id }), chef)).toEqual({ count: 5, unprepared: [] })
  })

  it('a search has a fresh plan, in a transaction with a time limit', async () => {
    const { count, unprepared } = await costOf((calls) => calls.list({ search: 'team' }), chef)
    expect([count, unprepared.length]).toEqual([4 + 3, 1 + 1])
  })
})

describe('writes send prepared statements only, except BEGIN', () => {
  it('a join and a leave, in three round trips each', async () => {
    const someone = await fixture.createMember()
    const join = () =>
      costOf((calls) => calls.join(validInput('teams.join', { id: teamId, role: { id: roleId } })), someone)
    const leave = () => costOf((calls) => calls.leave({ id: teamId }), someone)
    // Prepares the statements.
    await join()
    await leave()
    expect(await join()).toEqual({ count: 9, unprepared: ['begin '] })
    expect(pool.roundTrips()).toBe(3)
    expect(await leave()).toEqual({ count: 6, unprepared: ['begin '] })
    expect(pool.roundTrips()).toBe(3)
  })

  it('an Idempotency-Key, which adds three statements to a write', async () => {
    const { deps, request, ...rest } = fixture.contextOf(chef)
    const secret = createSecret(randomBytes(32))
    const ctx = { ...rest, db: pool.db, deps: { ...deps, secret }, request: { ...request, idempotencyKey: 'once' } }
    const cost = await pool.measure(() =>
      withIdempotency('a call', ctx, {}, () => inTransaction(ctx.db, () => Promise.resolve(null))),
    )
    expect(cost).toEqual({ count: 5, unprepared: ['begin '] })
  })
})
