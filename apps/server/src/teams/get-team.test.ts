import { Team } from '@community/contract'
import { teams } from '@community/db/schema'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openFixture, errorCodeOf } from '../../test/fixture.ts'

const fixture = await openFixture()
const [needed] = await rolesOf(fixture.db)
afterAll(() => fixture.close())

const newTeam = async () => {
  const chef = await fixture.createMember()
  const form = validInput('teams.create', { rolesNeeded: [needed] })
  const { id } = (await fixture.as(chef).create(form)).data.team
  return { id, chef, form }
}
const deactivate = (id: string) => fixture.db.update(teams).set({ isActive: false }).where(eq(teams.id, id))
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('getTeam', () => {
  it('shows visitors a card without description, points, members and experience', async () => {
    const { id, form } = await newTeam()
    const { team } = (await fixture.as(null).get({ id })).data
    expect(team).toMatchObject({
      id,
      _id: id,
      name: form.name,
      isActive: true,
      maxMembers: 5,
      rolesNeeded: [needed],
      createdAt: expect.stringMatching(TIME),
      updatedAt: expect.stringMatching(TIME),
    })
    for (const field of [
      'description',
      'points',
      'challengesCompleted',
      'memberCount',
      'members',
      'ownerId',
      'experience',
    ])
      expect(team).not.toHaveProperty(field)
  })

  it('shows signed-in users everything, including contact fields', async () => {
    const { id, chef, form } = await newTeam()
    const joined = validInput('teams.join', { id, role: needed, email: 'youssef@example.ma', phone: '+212612345678' })
    await fixture.as(await fixture.createMember()).join(joined)
    const team = Team.parse((await fixture.as(await fixture.createMember()).get({ id })).data.team)
    expect(team).toMatchObject({ description: form.description, ownerId: chef.id, memberCount: 2, points: 0 })
    expect(team.members.map(({ email, phone }) => [email, phone])).toEqual([
      [form.userInfo.email, form.userInfo.phone],
      [joined.email, joined.phone],
    ])
  })

  it('shows signed-in users the account behind the name entered when joining', async () => {
    const { id } = await newTeam()
    const [mallory, honest] = [await fixture.createMember(), await fixture.createMember()]
    const typed = { name: 'Sara El Amrani', email: 'sara@example.ma' }
    await fixture.as(mallory).join(validInput('teams.join', { id, role: needed, ...typed }))
    await fixture
      .as(honest)
      .join(validInput('teams.join', { id, role: needed, name: honest.name, email: honest.email.toUpperCase() }))
    const { members } = Team.parse((await fixture.as(await fixture.createMember()).get({ id })).data.team)
    const shown = members.map(({ userId, name, accountName, isAccountEmail }) => [
      userId,
      name,
      accountName,
      isAccountEmail,
    ])
    expect(shown.slice(1)).toEqual([
      [mallory.id, typed.name, mallory.name, false],
      [honest.id, honest.name, honest.name, true],
    ])
  })

  it('hides an inactive team except from its members and administrators', async () => {
    const { id, chef } = await newTeam()
    await deactivate(id)
    for (const viewer of [null, await fixture.createMember()])
      expect(await errorCodeOf(fixture.as(viewer).get({ id }))).toBe('TEAM_MISSING')
    for (const viewer of [chef, await fixture.createAdmin()])
      expect((await fixture.as(viewer).get({ id })).data.team).toMatchObject({ id, isActive: false })
  })

  it('rejects an unknown id', async () => {
    for (const viewer of [null, await fixture.createAdmin()])
      expect(await errorCodeOf(fixture.as(viewer).get({ id: needed.id }))).toBe('TEAM_MISSING')
  })
})

describe('listUserTeams', () => {
  it('lists a user’s teams, as chef or not, by name', async () => {
    const { id, chef } = await newTeam()
    const { team: own } = (
      await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [needed], name: 'Aaa first by name' }))
    ).data
    const youssef = await fixture.createMember()
    await fixture.as(youssef).join(validInput('teams.join', { id, role: needed }))
    await fixture.as(youssef).join(validInput('teams.join', { id: own.id, role: needed }))
    for (const viewer of [youssef, await fixture.createMember()]) {
      const found = (await fixture.as(viewer).teamsOf({ id: youssef.id })).data.teams
      expect(found.map((team) => team.id)).toEqual([own.id, id])
      expect(found[0]?.members).toHaveLength(2)
    }
    const second = (await fixture.as(youssef).teamsOf({ id: youssef.id, page: 2, limit: 1 })).data
    expect(second.teams.map((team) => team.id)).toEqual([id])
    expect(second.pagination).toMatchObject({ page: 2, total: 2, totalPages: 2, nextCursor: null })
    await fixture.as(youssef).leave({ id })
    expect((await fixture.as(youssef).teamsOf({ id: youssef.id })).data.teams.map((team) => team.id)).toEqual([own.id])
  })

  it('shows inactive ones to the user, to fellow members and to administrators', async () => {
    const { id, chef } = await newTeam()
    const youssef = await fixture.createMember()
    await fixture.as(youssef).join(validInput('teams.join', { id, role: needed }))
    await deactivate(id)
    for (const viewer of [chef, youssef, await fixture.createAdmin()])
      expect((await fixture.as(viewer).teamsOf({ id: chef.id })).data.teams).toHaveLength(1)
    expect((await fixture.as(await fixture.createMember()).teamsOf({ id: chef.id })).data.teams).toEqual([])
  })

  it('rejects an unknown id', async () => {
    const someone = await fixture.createMember()
    expect(await errorCodeOf(fixture.as(someone).teamsOf({ id: needed.id }))).toBe('USER_MISSING')
    expect((await fixture.as(someone).teamsOf({ id: someone.id })).data.teams).toEqual([])
  })
})
