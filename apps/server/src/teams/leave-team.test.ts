import { pastMembers, teamMembers, teams, users } from '@community/db/schema'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, errorCodeOf } from '../../test/fixture.ts'
import type { Caller } from '../context.ts'

const LEFT = 'You have successfully left the team.'
const LEFT_AS_CHEF = 'You have left the team. The oldest remaining member is now the new team chef.'

const fixture = await openFixture()
const [needed] = await rolesOf(fixture.db)
afterAll(async () => {
  await expectInvariants(fixture.db)
  await fixture.close()
})

/** A team with its chef first; the others joined one after another. */
async function teamOf(size: number): Promise<{ id: string; people: [Caller, ...Caller[]] }> {
  const chef = await fixture.createMember()
  const { id } = (await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [needed], maxMembers: 11 })))
    .data.team
  const others = await Promise.all(Array.from({ length: size - 1 }, () => fixture.createMember()))
  for (const other of others) await fixture.as(other).join(validInput('teams.join', { id, role: needed }))
  return { id, people: [chef, ...others] }
}
const rowOf = (id: string) => fixture.db.query.teams.findFirst({ where: eq(teams.id, id) })
const chefsOf = async (id: string) => {
  const members = await fixture.db.query.teamMembers.findMany({ where: eq(teamMembers.teamId, id) })
  return members.filter(({ isChef }) => isChef).map(({ userId }) => userId)
}

describe('leaveTeam', () => {
  it('rejects deleted accounts', async () => {
    const { id, people } = await teamOf(1)
    await fixture.as(people[0]).leave({ id })
    await fixture.db.delete(users).where(eq(users.id, people[0].id))
    expect(await errorCodeOf(fixture.as(people[0]).leave({ id }))).toBe('NOT_SIGNED_IN')
  })

  it('removes a member, records them, and keeps the chef', async () => {
    const { id, people } = await teamOf(3)
    const [chef, second] = people
    if (!second) throw new Error('no second member')
    expect(await fixture.as(second).leave({ id })).toEqual({ data: {}, message: LEFT })
    expect(await rowOf(id)).toMatchObject({ memberCount: 2, ownerId: chef.id, isActive: true })
    const past = await fixture.db.query.pastMembers.findMany({ where: eq(pastMembers.teamId, id) })
    expect(past.map(({ userId }) => userId)).toEqual([second.id])
  })

  it('makes the longest-standing member the next chef, and reports it', async () => {
    const { id, people } = await teamOf(4)
    const [chef, second, third, fourth] = people
    if (!second || !third || !fourth) throw new Error('too few members')
    expect((await fixture.as(chef).leave({ id })).message).toBe(LEFT_AS_CHEF)
    expect(await chefsOf(id)).toEqual([second.id])
    expect(await rowOf(id)).toMatchObject({ memberCount: 3, ownerId: second.id, isActive: true })

    // The joining order decides, not the order of the rows.
    await fixture.clock.setAge('team_members', 'joined_at', 86_400, { user_id: fourth.id })
    await fixture.as(second).leave({ id })
    expect(await chefsOf(id)).toEqual([fourth.id])
  })

  it('prefers the lower id of two who joined at the same instant', async () => {
    const { id, people } = await teamOf(3)
    const [chef, ...others] = people
    await fixture.db
      .update(teamMembers)
      .set({ joinedAt: new Date(0) })
      .where(eq(teamMembers.teamId, id))
    await fixture.as(chef).leave({ id })
    expect(await chefsOf(id)).toEqual(
      others
        .map((other) => other.id)
        .toSorted()
        .slice(0, 1),
    )
  })

  it('deactivates the team after the last member, and keeps its points', async () => {
    const { id, people } = await teamOf(1)
    expect((await fixture.as(people[0]).leave({ id })).message).toBe(LEFT)
    expect(await rowOf(id)).toMatchObject({ memberCount: 0, ownerId: null, isActive: false })
    expect(await errorCodeOf(fixture.as(people[0]).get({ id }))).toBe('TEAM_MISSING')
    expect((await fixture.as(await fixture.createAdmin()).get({ id })).data.team).toMatchObject({
      id,
      members: [],
      ownerId: null,
    })
  })

  it('keeps an inactive team inactive', async () => {
    const { id, people } = await teamOf(2)
    await fixture.db.update(teams).set({ isActive: false }).where(eq(teams.id, id))
    await fixture.as(people[0]).leave({ id })
    expect(await rowOf(id)).toMatchObject({ isActive: false, memberCount: 1, ownerId: people[1]?.id })
  })

  it('rejects strangers and unknown teams', async () => {
    const { id, people } = await teamOf(2)
    const stranger = fixture.as(await fixture.createMember())
    expect(await errorCodeOf(stranger.leave({ id }))).toBe('NOT_A_MEMBER')
    expect(await errorCodeOf(stranger.leave({ id: people[0].id }))).toBe('TEAM_MISSING')
    expect(await rowOf(id)).toMatchObject({ memberCount: 2 })
  })

  it('lets a former member rejoin as the newest member, and leave again', async () => {
    const { id, people } = await teamOf(3)
    const [chef, second, third] = people
    if (!second || !third) throw new Error('too few members')
    await fixture.as(second).leave({ id })
    await fixture.as(second).join(validInput('teams.join', { id, role: needed }))
    await fixture.as(chef).leave({ id })
    expect(await chefsOf(id)).toEqual([third.id])
    await fixture.as(second).leave({ id })
    expect(await rowOf(id)).toMatchObject({ memberCount: 1, ownerId: third.id })
  })
})
