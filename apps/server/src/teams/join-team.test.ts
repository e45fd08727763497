import { teams, users } from '@community/db/schema'
import { type InputOf, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, errorCodeOf } from '../../test/fixture.ts'

const fixture = await openFixture()
const [needed, unneeded] = await rolesOf(fixture.db)
afterAll(() => fixture.close())

const newTeam = async (over: Partial<InputOf<'teams.create'>> = {}) => {
  const chef = await fixture.createMember()
  const { data } = await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [needed], ...over }))
  return { ...data.team, chef }
}

describe('joinTeam', () => {
  it('adds the caller with the role and contact fields of the form', async () => {
    const team = await newTeam()
    const youssef = await fixture.createMember()
    const form = validInput('teams.join', {
      id: team.id,
      name: 'Youssef Benali',
      email: 'youssef@example.ma',
      contact: 'youssef@example.ma',
      phone: '+212 612345678',
      role: needed,
      portfolio: 'https://youssef.example.ma',
      bio: 'Backend',
      github: '',
    })
    const { data, message } = await fixture.as(youssef).join(form)
    expect(message).toBe('You joined the team')
    expect(data.team.memberCount).toBe(2)
    expect(data.team.members.map(({ userId, isChef }) => [userId, isChef])).toEqual([
      [team.chef.id, true],
      [youssef.id, false],
    ])
    expect(data.team.members[1]).toMatchObject({
      name: form.name,
      email: form.email,
      bio: form.bio,
      experience: form.experience,
      phone: '+212612345678',
      portfolio: 'https://youssef.example.ma/',
      github: null,
      role: needed,
    })
    await expectInvariants(fixture.db)
  })

  it('accepts ids in upper case', async () => {
    const team = await newTeam()
    const form = validInput('teams.join', {
      id: team.id.toUpperCase(),
      role: { ...needed, id: needed.id.toUpperCase() },
    })
    const { data } = await fixture.as(await fixture.createMember()).join(form)
    expect(data.team.members[1]).toMatchObject({ role: needed })
  })

  it('rejects an unknown team, a member, a full team and a role that is not needed', async () => {
    const team = await newTeam({ maxMembers: 2 })
    const youssef = fixture.as(await fixture.createMember())
    expect(await errorCodeOf(youssef.join(validInput('teams.join', { id: needed.id, role: needed })))).toBe(
      'TEAM_MISSING',
    )
    expect(await errorCodeOf(youssef.join(validInput('teams.join', { id: team.id, role: unneeded })))).toBe(
      'ROLE_NOT_NEEDED',
    )
    await youssef.join(validInput('teams.join', { id: team.id, role: needed }))
    expect(await errorCodeOf(youssef.join(validInput('teams.join', { id: team.id, role: needed })))).toBe(
      'ALREADY_MEMBER',
    )
    const late = fixture.as(await fixture.createMember()).join(validInput('teams.join', { id: team.id, role: needed }))
    await expect(late).rejects.toMatchObject({
      definition: { code: 'TEAM_FULL', status: 409, message: 'This team is full (2/2 members)' },
    })
    await expectInvariants(fixture.db)
  })

  it('rejects inactive teams', async () => {
    const team = await newTeam()
    await fixture.db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id))
    expect(
      await errorCodeOf(
        fixture.as(await fixture.createMember()).join(validInput('teams.join', { id: team.id, role: needed })),
      ),
    ).toBe('TEAM_INACTIVE')
  })

  it('rejects administrators, also if they became one since they signed in', async () => {
    const team = await newTeam()
    expect(
      await errorCodeOf(
        fixture.as(await fixture.createAdmin()).join(validInput('teams.join', { id: team.id, role: needed })),
      ),
    ).toBe('ADMINS_CANNOT_JOIN')
    const promoted = await fixture.createMember()
    await fixture.db.update(users).set({ role: 'admin' }).where(eq(users.id, promoted.id))
    expect(await errorCodeOf(fixture.as(promoted).join(validInput('teams.join', { id: team.id, role: needed })))).toBe(
      'ADMINS_CANNOT_JOIN',
    )
  })

  it('rejects a user banned after their token was verified', async () => {
    const team = await newTeam()
    const banned = await fixture.createMember()
    await fixture.db
      .update(users)
      .set({ isBanned: true, banReason: 'spam', bannedAt: new Date() })
      .where(eq(users.id, banned.id))
    expect(await errorCodeOf(fixture.as(banned).join(validInput('teams.join', { id: team.id, role: needed })))).toBe(
      'BANNED',
    )
    expect((await fixture.as(team.chef).get({ id: team.id })).data.team).toMatchObject({ memberCount: 1 })
  })

  it('allows five joins of a team in an hour and fifty a day, counting only those that took place', async () => {
    const [team, other] = [await newTeam(), await newTeam()]
    const youssef = await fixture.createMember()
    const join = (id: string) => fixture.as(youssef).join(validInput('teams.join', { id, role: needed }))
    for (let round = 0; round < 5; round++) {
      await join(team.id)
      expect(await errorCodeOf(join(team.id))).toBe('ALREADY_MEMBER')
      await fixture.as(youssef).leave({ id: team.id })
    }
    await expect(join(team.id)).rejects.toMatchObject({
      definition: { code: 'TOO_MANY_REQUESTS', status: 429, cooldown: expect.any(Number) },
    })
    expect((await fixture.as(team.chef).get({ id: team.id })).data.team).toMatchObject({ memberCount: 1 })
    await join(other.id)
    await fixture.as(await fixture.createMember()).join(validInput('teams.join', { id: team.id, role: needed }))

    const key = `joins:${youssef.id}`
    const full = await fixture.sql`update rate_limits set count = 50 where key = ${key} and count = 6 returning 1`
    expect(full).toHaveLength(1)
    await fixture.as(youssef).leave({ id: other.id })
    expect(await errorCodeOf(join(other.id))).toBe('TOO_MANY_REQUESTS')
    await fixture.clock.resetLimits({ key })
    await join(other.id)
  })

  it('preserves the joining order', async () => {
    const team = await newTeam({ maxMembers: 11 })
    const people = await Promise.all(Array.from({ length: 10 }, () => fixture.createMember()))
    for (const person of people) await fixture.as(person).join(validInput('teams.join', { id: team.id, role: needed }))
    const { data } = await fixture.as(team.chef).get({ id: team.id })
    const members = 'members' in data.team ? data.team.members.map(({ userId }) => userId) : []
    expect(members).toEqual([team.chef.id, ...people.map(({ id }) => id)])
  })
})
