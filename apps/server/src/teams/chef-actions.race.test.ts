import { teamMembers, teams } from '@community/db/schema'
import { rounds, uniqueName, validInput } from '@community/testing'
import { resetTeamLimits, rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, outcomesOf } from '../../test/fixture.ts'

const ROUNDS = rounds(200)
const OTHER_ROUNDS = rounds(50, 10)

const fixture = await openFixture()
const secondDb = fixture.openPool().db
const [neededRole] = await rolesOf(fixture.db)
const people = [
  await fixture.createMember(),
  await fixture.createMember(),
  await fixture.createMember(),
  await fixture.createMember(),
] as const
afterAll(() => fixture.close())

/** A team of the first `size` members, its chef first. */
async function teamOf(size: number): Promise<string> {
  const [chef, ...others] = people
  await resetTeamLimits(fixture.db)
  const { id } = (
    await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [neededRole], maxMembers: 11 }))
  ).data.team
  for (const other of others.slice(0, size - 1))
    await fixture.as(other).join(validInput('teams.join', { id, role: neededRole }))
  return id
}

const chefsOf = async (teamId: string) => {
  const members = await fixture.db.query.teamMembers.findMany({ where: eq(teamMembers.teamId, teamId) })
  return members.filter(({ isChef }) => isChef).map(({ userId }) => userId)
}

describe('concurrent chef procedures', () => {
  it(`leave one chef: leaving, transferring and removing, ${ROUNDS} rounds, on two pools`, {
    timeout: ROUNDS * 1000,
  }, async () => {
    const [chef, lina, omar, amine] = people
    for (let round = 0; round < ROUNDS; round++) {
      const id = await teamOf(4)
      const outcomes = await outcomesOf([
        fixture.as(chef).leave({ id }),
        fixture.as(chef, secondDb).transfer({ id, newOwnerId: lina.id }),
        fixture.as(chef).removeMember({ id, userId: lina.id }),
        fixture.as(omar, secondDb).leave({ id }),
        fixture.as(chef, secondDb).removeMember({ id, userId: chef.id, newOwnerId: amine.id }),
        fixture.as(chef).transfer({ id, newOwnerId: amine.id }),
      ])
      for (const outcome of outcomes)
        expect(['ok', 'CHEF_ONLY', 'NEW_OWNER_MISSING', 'MEMBER_MISSING', 'ALREADY_CHEF', 'NOT_A_MEMBER']).toContain(
          outcome,
        )
      expect(await chefsOf(id)).toHaveLength(1)
    }
    await expectInvariants(fixture.db)
  })

  it('give a name to only one of two teams', { timeout: OTHER_ROUNDS * 3000 }, async () => {
    for (let round = 0; round < OTHER_ROUNDS; round++) {
      const [first, other] = [await teamOf(1), await teamOf(1)]
      const name = uniqueName()
      const outcomes = await outcomesOf([
        fixture.as(people[0]).update({ id: first, name }),
        fixture.as(people[0], secondDb).update({ id: other, name: name.toUpperCase() }),
      ])
      expect(outcomes.toSorted()).toEqual(['DUPLICATE_NAME', 'ok'])
    }
  })

  it('accept no join after a deactivation, and do not shrink a team below its member count', async () => {
    const joiners = await Promise.all(Array.from({ length: 20 }, () => fixture.createMember()))
    for (let round = 0; round < 20; round++) {
      const id = await teamOf(1)
      const joins = joiners.map((user, at) =>
        fixture.as(user, at % 2 ? secondDb : fixture.db).join(validInput('teams.join', { id, role: neededRole })),
      )
      const [deactivation] = await outcomesOf([
        fixture.as(people[0]).update({ id, isActive: false, maxMembers: 5 }),
        ...joins,
      ])
      const row = await fixture.db.query.teams.findFirst({ where: eq(teams.id, id) })
      if (deactivation === 'ok') expect(row).toMatchObject({ isActive: false, maxMembers: 5 })
      else expect(deactivation).toBe('TEAM_SMALLER_THAN_MEMBERS')
    }
    await expectInvariants(fixture.db)
  })

  it('delete a team once, during concurrent joins, leaves and renames', { timeout: OTHER_ROUNDS * 3000 }, async () => {
    for (let round = 0; round < OTHER_ROUNDS; round++) {
      const id = await teamOf(3)
      const [chef, lina, , amine] = people
      const outcomes = await outcomesOf([
        fixture.as(chef).remove({ id }),
        fixture.as(chef, secondDb).remove({ id }),
        fixture.as(lina, secondDb).leave({ id }),
        fixture.as(amine).join(validInput('teams.join', { id, role: neededRole })),
        fixture.as(chef, secondDb).update({ id, name: uniqueName() }),
      ])
      expect(outcomes.slice(0, 2).toSorted()).toEqual(['TEAM_MISSING', 'ok'])
      for (const outcome of outcomes.slice(2)) expect(['ok', 'TEAM_MISSING']).toContain(outcome)
    }
    await expectInvariants(fixture.db)
  })
})
