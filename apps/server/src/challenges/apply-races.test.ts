import { setTimeout as sleep } from 'node:timers/promises'
import { submissions } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { countOf, outcomesOf } from '../../test/fixture.ts'
import { openWorkFixture, LINK_WORK, type FixtureTeam, type WorkFixture } from '../../test/work-fixture.ts'

let fixture: WorkFixture
beforeAll(async () => {
  fixture = await openWorkFixture()
})
afterEach(() => expectInvariants(fixture.db))
afterAll(() => fixture.close())

describe('concurrent applications', () => {
  it('respect maxSubmissions: 50 at once, on two pools, for every limit', async () => {
    const pools = [fixture.db, fixture.openPool().db]
    const team = await fixture.createTeam()
    for (let round = 0; round < 10; round++) {
      const maxSubmissions = (round % 5) + 1
      const { id } = await fixture.createChallenge({ maxSubmissions })
      const codes = await outcomesOf(
        Array.from({ length: 50 }, (_, n) =>
          fixture.as(team.chef, pools[n % 2]).apply({ id, teamId: team.id, ...LINK_WORK }),
        ),
      )
      expect(countOf(codes, 'ok')).toBe(maxSubmissions)
      expect(countOf(codes, 'ALREADY_APPLIED')).toBe(50 - maxSubmissions)
    }
  })

  it('of teams that share a member: only one succeeds', async () => {
    const shared = await fixture.createMember()
    const teams: FixtureTeam[] = []
    for (let n = 0; n < 4; n++) teams.push(await fixture.createTeam({ members: [shared] }))
    for (let round = 0; round < 20; round++) {
      const { id } = await fixture.createChallenge()
      const codes = await outcomesOf(teams.map((team) => fixture.applyWithLink(team, id)))
      expect(countOf(codes, 'ok')).toBe(1)
      expect(countOf(codes, 'MEMBER_ALREADY_APPLIED')).toBe(3)
    }
  })

  it('against a deactivation: accepted before it, rejected after it', async () => {
    const teams = await Promise.all(Array.from({ length: 8 }, () => fixture.createTeam()))
    for (let round = 0; round < 15; round++) {
      const { id } = await fixture.createChallenge()
      let closed = 0
      const deactivate = async () => {
        await sleep(round)
        const [row] = await fixture.sql<{ at: number }[]>`
          update challenges set is_active = false where id = ${id} 
          returning (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
        closed = row?.at ?? 0
      }
      const [codes] = await Promise.all([
        outcomesOf(teams.map((team) => fixture.applyWithLink(team, id))),
        deactivate(),
      ])
      expect(countOf(codes, 'ok') + countOf(codes, 'CHALLENGE_INACTIVE')).toBe(8)
      const rows = await fixture.db.select().from(submissions).where(eq(submissions.challengeId, id))
      expect(rows).toHaveLength(countOf(codes, 'ok'))
      for (const row of rows) expect(row.createdAt.getTime()).toBeLessThanOrEqual(Math.ceil(closed))
    }
  })

  it('against a deadline: accepted before it by the database’s clock, rejected after it', async () => {
    const teams = await Promise.all(Array.from({ length: 8 }, () => fixture.createTeam()))
    let late = 0
    for (let round = 0; round < 10; round++) {
      const { id } = await fixture.createChallenge()
      await fixture.clock.setDeadline(id, 0.04)
      const [row] = await fixture.sql<{ at: number }[]>`
        select (extract(epoch from deadline) * 1000)::float8 as at from challenges where id = ${id}`
      const begunAt: number[] = []
      const attempts = teams.map(async (team, nth) => {
        await sleep(nth * 10)
        const [clock] = await fixture.sql<{ now: number }[]>`
          select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
        begunAt[nth] = clock?.now ?? 0
        return fixture.applyWithLink(team, id)
      })
      const codes = await outcomesOf(attempts)
      const rows = await fixture.db.select().from(submissions).where(eq(submissions.challengeId, id))
      expect(rows).toHaveLength(countOf(codes, 'ok'))
      expect(countOf(codes, 'ok') + countOf(codes, 'CHALLENGE_EXPIRED')).toBe(8)
      const begunLate = codes.filter((_code, nth) => (begunAt[nth] ?? 0) >= (row?.at ?? 0))
      expect(countOf(begunLate, 'CHALLENGE_EXPIRED')).toBe(begunLate.length)
      late += begunLate.length
    }
    expect(late).toBeGreaterThan(0)
  })
})
