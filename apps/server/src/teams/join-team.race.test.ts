import { pastMembers, teamMembers, teams } from '@community/db/schema'
import { rounds, validInput } from '@community/testing'
import { resetTeamLimits, rolesOf } from '@community/testing/database/rows'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, outcomesOf } from '../../test/fixture.ts'

const RACERS = 50
const ROUNDS = rounds(200)
const LEAVING_ROUNDS = rounds(60, 10)

const fixture = await openFixture()
const secondDb = fixture.openPool().db
const [needed] = await rolesOf(fixture.db)
const chef = await fixture.createMember()
const racers = await Promise.all(Array.from({ length: RACERS }, () => fixture.createMember()))
afterAll(() => fixture.close())

const newTeam = async (maxMembers: number) => {
  await resetTeamLimits(fixture.db)
  return (await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [needed], maxMembers }))).data.team.id
}

const membersOf = (teamId: string) => fixture.db.query.teamMembers.findMany({ where: eq(teamMembers.teamId, teamId) })

const tally = (outcomes: string[]) => {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Everyone joins concurrently, half of them through another process's pool. */
const allJoin = (teamId: string) =>
  outcomesOf(
    racers.map((racer, at) =>
      fixture.as(racer, at % 2 ? secondDb : fixture.db).join(validInput('teams.join', { id: teamId, role: needed })),
    ),
  )

describe('concurrent joins', () => {
  it(`give the last seat to one of ${RACERS}, ${ROUNDS} rounds, on two pools`, { timeout: ROUNDS * 2000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const teamId = await newTeam(2)
      expect(tally(await allJoin(teamId))).toEqual({ ok: 1, TEAM_FULL: RACERS - 1 })
      expect(await membersOf(teamId)).toHaveLength(2)
    }
    await expectInvariants(fixture.db)
  })

  it('fill exactly the seats of a team', async () => {
    for (let round = 0; round < 10; round++) {
      const teamId = await newTeam(11)
      expect(tally(await allJoin(teamId))).toEqual({ ok: 10, TEAM_FULL: RACERS - 10 })
    }
    await expectInvariants(fixture.db)
  })

  it('of one user create one membership per team, also in several teams at once', async () => {
    const [first] = racers
    if (!first) throw new Error('no racer')
    for (let round = 0; round < 20; round++) {
      const ids = await Promise.all([newTeam(5), newTeam(5)])
      const calls = ids.flatMap((id) =>
        Array.from({ length: 10 }, (_, at) =>
          fixture.as(first, at % 2 ? secondDb : fixture.db).join(validInput('teams.join', { id, role: needed })),
        ),
      )
      expect(tally(await outcomesOf(calls))).toEqual({ ok: 2, ALREADY_MEMBER: 18 })
    }
    await expectInvariants(fixture.db)
  })

  it('against the last member leaving happen before or after it', { timeout: LEAVING_ROUNDS * 3000 }, async () => {
    const seen = new Set<string>()
    // Chance decides who is first: a few rounds may all end the same way.
    for (let round = 0; round < LEAVING_ROUNDS || (seen.size < 2 && round < 100); round++) {
      const teamId = await newTeam(5)
      const [joiner] = racers
      if (!joiner) throw new Error('no racer')
      const join = () => fixture.as(joiner, secondDb).join(validInput('teams.join', { id: teamId, role: needed }))
      const leave = () => fixture.as(chef).leave({ id: teamId })
      const [joined, left] = await (round % 2
        ? outcomesOf([join(), leave()])
        : outcomesOf([leave(), join()]).then(([l, j]) => [j, l]))
      expect(left).toBe('ok')
      const team = await fixture.db.query.teams.findFirst({ where: eq(teams.id, teamId) })
      if (joined === 'ok') expect(team).toMatchObject({ isActive: true, memberCount: 1, ownerId: joiner.id })
      else expect([joined, team]).toMatchObject(['TEAM_INACTIVE', { isActive: false, memberCount: 0, ownerId: null }])
      seen.add(joined ?? '')
    }
    expect([...seen].toSorted()).toEqual(['TEAM_INACTIVE', 'ok'])
    await expectInvariants(fixture.db)
  })
})

describe('concurrent leaves', () => {
  it('of all members leave an inactive team with a record of them all', async () => {
    for (let round = 0; round < 10; round++) {
      const teamId = await newTeam(11)
      const crew = racers.slice(0, 10)
      for (const person of crew) await fixture.as(person).join(validInput('teams.join', { id: teamId, role: needed }))
      const leavers = [chef, ...crew]
      const calls = leavers.map((person, at) =>
        fixture.as(person, at % 2 ? secondDb : fixture.db).leave({ id: teamId }),
      )
      expect(tally(await outcomesOf(calls))).toEqual({ ok: 11 })
      expect(await fixture.db.query.teams.findFirst({ where: eq(teams.id, teamId) })).toMatchObject({
        isActive: false,
        ownerId: null,
        memberCount: 0,
      })
      const past = await fixture.db.query.pastMembers.findMany({ where: eq(pastMembers.teamId, teamId) })
      expect(past).toHaveLength(11)
    }
    await expectInvariants(fixture.db)
  })

  it('of one user take effect once', async () => {
    const teamId = await newTeam(5)
    const [first] = racers
    if (!first) throw new Error('no racer')
    await fixture.as(first).join(validInput('teams.join', { id: teamId, role: needed }))
    const calls = Array.from({ length: 10 }, () => fixture.as(first).leave({ id: teamId }))
    expect(tally(await outcomesOf(calls))).toEqual({ ok: 1, NOT_A_MEMBER: 9 })
    const seat = and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, first.id))
    expect(await fixture.db.query.teamMembers.findFirst({ where: seat })).toBeUndefined()
    await expectInvariants(fixture.db)
  })

  it('and joins in any mixture keep one chef and a correct count', async () => {
    for (let round = 0; round < 20; round++) {
      const teamId = await newTeam(6)
      const crew = racers.slice(0, 4)
      for (const person of crew) await fixture.as(person).join(validInput('teams.join', { id: teamId, role: needed }))
      await outcomesOf([
        fixture.as(chef).leave({ id: teamId }),
        ...crew.map((person, at) => fixture.as(person, at % 2 ? secondDb : fixture.db).leave({ id: teamId })),
        ...racers
          .slice(4, 14)
          .map((person) => fixture.as(person, secondDb).join(validInput('teams.join', { id: teamId, role: needed }))),
      ])
    }
    await expectInvariants(fixture.db)
  })
})
