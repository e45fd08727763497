import { users } from '@community/db/schema'
import { uniqueName, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, errorCodeOf } from '../../test/fixture.ts'

const role = (at: number) => {
  const found = roles[at]
  if (!found) throw new Error(`no role ${at}`)
  return found
}

const fixture = await openFixture()
const roles = await rolesOf(fixture.db)
afterAll(async () => {
  await expectInvariants(fixture.db)
  await fixture.close()
})

describe('createTeam', () => {
  it('allows fifty teams per member and day, counting only created ones', async () => {
    const [sara, other] = [await fixture.createMember(), await fixture.createMember()]
    const form = validInput('teams.create', { rolesNeeded: [role(0)] })
    await fixture.as(sara).create(form)
    expect(await errorCodeOf(fixture.as(sara).create(form))).toBe('DUPLICATE_NAME')
    const key = `teams:${sara.id}`
    expect(
      await fixture.sql`update rate_limits set count = 49 where key = ${key} and count = 1 returning 1`,
    ).toHaveLength(1)
    await fixture.as(sara).create(validInput('teams.create', { rolesNeeded: [role(0)] }))
    expect(await errorCodeOf(fixture.as(sara).create(validInput('teams.create', { rolesNeeded: [role(0)] })))).toBe(
      'TOO_MANY_REQUESTS',
    )
    await fixture.as(other).create(validInput('teams.create', { rolesNeeded: [role(0)] }))
    await fixture.clock.resetLimits({ key })
    await fixture.as(sara).create(validInput('teams.create', { rolesNeeded: [role(0)] }))
  })

  it('makes the creator chef and first member, with their contact fields', async () => {
    const sara = await fixture.createMember()
    const form = validInput('teams.create', { rolesNeeded: [role(2), role(0)] })
    const { data, message } = await fixture.as(sara).create({
      ...form,
      userInfo: {
        ...form.userInfo,
        firstName: 'Sara',
        lastName: 'El Amrani',
        github: 'https://github.com/sara',
        bio: 'Likes maps',
        role: role(7),
      },
    })
    expect(message).toBe('Team Created!')
    expect(data.team).toMatchObject({
      name: form.name,
      description: form.description,
      isActive: true,
      ownerId: sara.id,
      memberCount: 1,
      points: 0,
      challengesCompleted: 0,
      experience: form.experience,
      rolesNeeded: [role(2), role(0)],
    })
    expect(data.team._id).toBe(data.team.id)
    expect(data.team.members).toHaveLength(1)
    expect(data.team.members[0]).toMatchObject({
      userId: sara.id,
      name: 'Sara El Amrani',
      email: form.userInfo.email,
      phone: form.userInfo.phone,
      github: 'https://github.com/sara',
      instagram: null,
      portfolio: null,
      bio: 'Likes maps',
      experience: form.userInfo.personalExperience,
      role: role(7),
      isChef: true,
    })
    expect(Math.abs(Date.parse(data.team.createdAt) - Date.now())).toBeLessThan(60_000)
  })

  it('defaults to no role for the chef and 5 seats', async () => {
    const form = validInput('teams.create', { rolesNeeded: [role(0)] })
    const { data } = await fixture.as(await fixture.createMember()).create(form)
    expect(data.team.members[0]?.role).toBeNull()
    expect(data.team.maxMembers).toBe(5)
  })

  it('stores a role once when the form has it twice', async () => {
    const { data } = await fixture
      .as(await fixture.createMember())
      .create(validInput('teams.create', { rolesNeeded: [role(1), role(0), role(1)] }))
    expect(data.team.rolesNeeded).toEqual([role(1), role(0)])
  })

  it('fills empty profile fields and changes no others', async () => {
    const sara = await fixture.createMember()
    await fixture.db.update(users).set({ phone: '0700000000', bio: '' }).where(eq(users.id, sara.id))
    const form = validInput('teams.create', { rolesNeeded: [role(0)] })
    await fixture.as(sara).create({
      ...form,
      userInfo: { ...form.userInfo, instagram: 'https://instagram.com/sara', bio: 'New' },
    })
    const profile = await fixture.db.query.users.findFirst({ where: eq(users.id, sara.id) })
    expect(profile).toMatchObject({
      phone: '0700000000',
      instagram: 'https://instagram.com/sara',
      bio: 'New',
      experience: form.userInfo.personalExperience,
      github: null,
      name: sara.name,
      email: sara.email,
    })
    // No field is empty any more, so a second form changes nothing.
    await fixture.as(sara).create(validInput('teams.create', { rolesNeeded: [role(0)], userInfo: form.userInfo }))
    expect(await fixture.db.query.users.findFirst({ where: eq(users.id, sara.id) })).toEqual(profile)
  })

  it('rejects a taken name, ignoring case, spaces and invisible characters', async () => {
    const name = uniqueName('Équipe الأطلس')
    const someone = fixture.as(await fixture.createMember())
    await someone.create(validInput('teams.create', { rolesNeeded: [role(0)], name }))
    const spellings = [
      name,
      name.toUpperCase(),
      `  ${name} `,
      name.replace(' ', '   '),
      `\u202e${name}`,
      name.normalize('NFD'),
      name.replace('quipe', 'ｑｕｉｐｅ'),
      name.replace('quipe', 'q\u200bu\u3164i\u00adpe'),
    ]
    for (const again of spellings)
      expect(
        await errorCodeOf(someone.create(validInput('teams.create', { rolesNeeded: [role(0)], name: again }))),
      ).toBe('DUPLICATE_NAME')
  })

  it('rejects unknown roles of the team and of the creator', async () => {
    const unknown = { id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }
    const someone = fixture.as(await fixture.createMember())
    expect(await errorCodeOf(someone.create(validInput('teams.create', { rolesNeeded: [role(0), unknown] })))).toBe(
      'ROLE_UNKNOWN',
    )
    const form = validInput('teams.create', { rolesNeeded: [role(0)] })
    const userInfo = { ...form.userInfo, role: unknown }
    await expect(someone.create({ ...form, userInfo })).rejects.toMatchObject({ definition: { path: 'userInfo.role' } })
  })

  it('rejects administrators and deleted users, also if promoted or deleted after sign-in', async () => {
    const form = validInput('teams.create', { rolesNeeded: [role(0)] })
    expect(await errorCodeOf(fixture.as(await fixture.createAdmin()).create(form))).toBe('ADMINS_CANNOT_CREATE')
    const promoted = await fixture.createMember()
    await fixture.db.update(users).set({ role: 'admin' }).where(eq(users.id, promoted.id))
    expect(await errorCodeOf(fixture.as(promoted).create(form))).toBe('ADMINS_CANNOT_CREATE')
    const deleted = await fixture.createMember()
    await fixture.db.delete(users).where(eq(users.id, deleted.id))
    expect(await errorCodeOf(fixture.as(deleted).create(form))).toBe('NOT_SIGNED_IN')
  })

  it('rejects creation while an administrator has switched it off', async () => {
    const admin = fixture.as(await fixture.createAdmin())
    const someone = fixture.as(await fixture.createMember())
    await admin.setTeamCreation({ enabled: false, password: 'checked before the use case' })
    expect(await errorCodeOf(someone.create(validInput('teams.create', { rolesNeeded: [role(0)] })))).toBe(
      'TEAM_CREATION_DISABLED',
    )
    await admin.setTeamCreation({ enabled: true, password: 'checked before the use case' })
    expect((await someone.create(validInput('teams.create', { rolesNeeded: [role(0)] }))).data.team.isActive).toBe(true)
  })

  it('accepts one of many concurrent creations with one name, on two pools', async () => {
    const other = fixture.openPool()
    for (let round = 0; round < 10; round++) {
      const name = uniqueName()
      const people = await Promise.all(Array.from({ length: 8 }, () => fixture.createMember()))
      const outcomes = await Promise.allSettled(
        people.map((person, at) =>
          fixture
            .as(person, at % 2 ? other.db : fixture.db)
            .create(validInput('teams.create', { rolesNeeded: [role(0)], name: at % 2 ? name : name.toUpperCase() })),
        ),
      )
      const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(rejected).toHaveLength(7)
      for (const { reason } of rejected) expect(await errorCodeOf(Promise.reject(reason))).toBe('DUPLICATE_NAME')
      const found = await fixture.as(null).list({ search: name })
      expect(found.data.pagination.total).toBe(1)
    }
  })
})
