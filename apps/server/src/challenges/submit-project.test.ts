import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { clockOf } from '@community/testing/database/clock'
import type { TransactionSql } from 'postgres'
import { countOf, errorCodeOf, outcomesOf } from '../../test/fixture.ts'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { LINK_WORK, openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'

let fixture: WorkFixture
beforeAll(async () => {
  fixture = await openWorkFixture()
})
afterAll(async () => {
  await expectInvariants(fixture.db)
  await fixture.close()
})

/** A member's submission for their team, which waits for the team's lock while `change` runs. */
async function submitDuring(
  change: (tx: TransactionSql, ids: { userId: string; teamId: string; id: string }) => Promise<unknown>,
) {
  const lina = await fixture.createMember()
  const team = await fixture.createTeam({ members: [lina] })
  const { id } = await fixture.createChallenge()
  let submission: Promise<string> | undefined
  await fixture.openPool().sql.begin(async (tx) => {
    await tx`select id from teams where id = ${team.id} for update`
    submission = errorCodeOf(fixture.as(lina).submit({ id, teamName: team.name, ...LINK_WORK }))
    const findWaiting = () => fixture.sql`
      select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(findWaiting, { interval: 20 }).toHaveLength(1)
    await change(tx, { userId: lina.id, teamId: team.id, id })
  })
  return submission
}

it('takes 7 statements in four round trips, all prepared', async () => {
  const pool = await openMeteredPool(fixture)
  const team = await fixture.createTeam()
  const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
  const submit = () =>
    pool.measure(() => fixture.as(team.chef, pool.db).submit({ id, teamName: team.name, ...LINK_WORK }))
  // Prepares the statements.
  await submit()
  expect(await submit()).toEqual({ count: 7, unprepared: ['begin '] })
  expect(pool.roundTrips()).toBe(4)
})

it('rejects a member who left while the submission waited', async () => {
  const leave = (tx: TransactionSql, { userId, teamId }: { userId: string; teamId: string }) => tx`
    with removed as (delete from team_members where team_id = ${teamId} and user_id = ${userId})
    update teams set member_count = member_count - 1 where id = ${teamId}`
  expect(await submitDuring(leave)).toBe('TEAM_MISSING')
})

it('rejects a team that was deleted or deactivated while the submission waited', async () => {
  expect(await submitDuring((tx, { teamId }) => tx`delete from teams where id = ${teamId}`)).toBe('TEAM_MISSING')
  expect(await submitDuring((tx, { teamId }) => tx`update teams set is_active = false where id = ${teamId}`)).toBe(
    'TEAM_INACTIVE',
  )
})

it('rejects a deadline that passed while the submission waited', async () => {
  expect(await submitDuring((tx, { id }) => clockOf(tx).passDeadline(id))).toBe('CHALLENGE_EXPIRED')
})

it('accepts up to maxSubmissions of concurrent submissions by several members', async () => {
  const members = [await fixture.createMember(), await fixture.createMember()]
  const team = await fixture.createTeam({ members })
  const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
  const codes = await outcomesOf(
    Array.from({ length: 12 }, (_, n) =>
      fixture.as([team.chef, ...members][n % 3]!).submit({ id, teamName: team.name, ...LINK_WORK }),
    ),
  )
  expect(countOf(codes, 'ok')).toBe(2)
  expect(countOf(codes, 'ALREADY_APPLIED')).toBe(10)
})
