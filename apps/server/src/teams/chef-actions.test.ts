import { type Message, type Team, unknownFieldMessage } from '@community/contract'
import { fileForm, PASSWORD, uniqueName } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer()
const [chef, second, third, admin] = await Promise.all([
  server.createMember(),
  server.createMember(),
  server.createMember(),
  server.createAdmin(),
])
afterAll(async () => {
  await expectInvariants(server.db)
  await server.close()
})

async function teamOf(...others: TestUser[]): Promise<Team> {
  const team = await server.createTeam(chef, { maxMembers: 5 })
  for (const other of others) expect((await server.join(team, other)).status).toBe(201)
  return team
}
const readTeam = async (id: string): Promise<Team> => (await server.rest(chef)(`GET /teams/${id}`)).body.data.team
const chefsOf = (team: Team) => team.members.filter((member) => member.isChef).map((member) => member.userId)
const findAuditEntries = async (targetId: string) =>
  (await server.sql`select action from audit_log where target_id = ${targetId}`).map((row) => row['action'])

describe('changing a team', () => {
  it('renames and edits, and keeps omitted fields', async () => {
    const team = await teamOf()
    const name = uniqueName()
    const renamed = await server.rest(chef)(`PUT /teams/${team.id}`, { name: `  ${name} ` })
    expect(renamed.body.data.team).toEqual({ ...team, name, updatedAt: expect.any(String) })
    const [, , role] = await rolesOf(server.db)
    const change = { description: 'We build quiet things.', maxMembers: 3, experience: 'Expert', rolesNeeded: [role] }
    const edited = (await server.rest(chef)(`PUT /teams/${team.id}`, change)).body.data.team
    expect(edited).toMatchObject({ name, description: 'We build quiet things.', maxMembers: 3, experience: 'Expert' })
    expect(edited.rolesNeeded.map(({ id }: { id: string }) => id)).toEqual([role.id])
    const found = await server.rest(chef)(`GET /teams?search=${encodeURIComponent('quiet things')}`)
    expect(found.body.data.teams.map(({ id }: Team) => id)).toContain(team.id)
  })

  it('rejects the name of another team, ignoring case', async () => {
    const [team, other] = [await teamOf(), await teamOf()]
    const { status, body } = await server.rest(chef)(`PUT /teams/${team.id}`, { name: other.name.toUpperCase() })
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([409, 'DUPLICATE_NAME', 'name'])
    const own = await server.rest(chef)(`PUT /teams/${team.id}`, { name: team.name.toUpperCase() })
    expect(own.status).toBe(200)
  })

  it.each<[input: object, path: string, msg: string, translatable?: Partial<Message>]>([
    [{ name: '  ' }, 'name', 'Please enter team name'],
    [{ name: 'ab' }, 'name', 'Team name must be at least 3 characters'],
    [{ description: 'short' }, 'description', 'Description must be at least 10 characters long'],
    [{ rolesNeeded: [] }, 'rolesNeeded', 'Please select at least one role'],
    [{ maxMembers: 12 }, 'maxMembers', 'Not a valid team size'],
    [{ experience: 'Guru' }, 'experience', 'Please select a valid experience level'],
    [{ points: 9000 }, 'points', 'Unknown field: points', unknownFieldMessage('points')],
    [
      { ownerId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' },
      'ownerId',
      'Unknown field: ownerId',
      unknownFieldMessage('ownerId'),
    ],
  ])('rejects %j', async (change, path, msg, { template, params } = {}) => {
    const team = await teamOf()
    const { status, body } = await server.rest(chef)(`PUT /teams/${team.id}`, change)
    expect(status).toBe(400)
    expect(body.errors?.[0]).toMatchObject({
      msg,
      path,
      code: expect.any(String),
      ...(template && { template, params }),
    })
    expect(await readTeam(team.id)).toEqual(team)
  })

  it('rejects an unknown role and fewer seats than members', async () => {
    const team = await teamOf(second, third)
    const send = server.rest(chef)
    const unknown = [{ id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }]
    expect((await send(`PUT /teams/${team.id}`, { rolesNeeded: unknown })).body.code).toBe('ROLE_UNKNOWN')
    const small = await send(`PUT /teams/${team.id}`, { maxMembers: 2 })
    expect([small.status, small.body.code, small.body.errors?.[0]?.path]).toEqual([
      409,
      'TEAM_SMALLER_THAN_MEMBERS',
      'maxMembers',
    ])
    expect((await send(`PUT /teams/${team.id}`, { maxMembers: 3 })).status).toBe(200)
  })

  it('hides a deactivated team and rejects joins until an administrator reactivates it', async () => {
    const team = await teamOf(second)
    const send = server.rest(chef)
    expect((await send(`PUT /teams/${team.id}`, { isActive: false })).body.data.team.isActive).toBe(false)
    const listed = await send(`GET /teams?search=${encodeURIComponent(team.name)}`)
    expect(listed.body.data.teams).toEqual([])
    expect((await server.join(team, third)).body.code).toBe('TEAM_INACTIVE')
    const again = await send(`PUT /teams/${team.id}`, { isActive: true })
    expect([again.status, again.body.code]).toEqual([403, 'ADMINS_REACTIVATE'])
    const byAdmin = await server.rest(admin)(`PUT /teams/${team.id}`, { isActive: true, password: PASSWORD })
    expect(byAdmin.body.data.team.isActive).toBe(true)
  })
})

describe('the chef procedures', () => {
  const chefRequests = (team: Team) =>
    [
      [`PUT /teams/${team.id}`, { description: 'Taken over by somebody.' }],
      [`DELETE /teams/${team.id}`, {}],
      [`DELETE /teams/${team.id}/members/${second.id}`, {}],
      [`POST /teams/${team.id}/transfer-ownership`, { newOwnerId: second.id }],
    ] as const

  it('reject visitors, members, strangers and chefs of other teams', async () => {
    const team = await teamOf(second)
    const stranger = await server.createMember()
    await server.createTeam(stranger)
    for (const [line, body] of chefRequests(team)) {
      expect((await server.rest()(line, body)).status).toBe(401)
      expect((await server.rest(second)(line, body)).body.code).toBe('CHEF_ONLY')
      expect((await server.rest(stranger)(line, body)).body.code).toBe('CHEF_ONLY')
    }
    expect(await readTeam(team.id)).toMatchObject({ description: team.description, ownerId: chef.id, memberCount: 2 })
  })

  it('accept an administrator with their password, and audit the change', async () => {
    const team = await teamOf(second)
    for (const [line, body] of chefRequests(team)) {
      expect((await server.rest(admin)(line, body)).body.code).toBe('PASSWORD_REQUIRED')
      expect((await server.rest(admin)(line, { ...body, password: 'Wrong-2026' })).body.code).toBe('WRONG_PASSWORD')
      // A correct password clears the failures, or the fifth call would be locked.
      await server.sql`delete from rate_limits where key like 'admin-password:%'`
    }
    expect(await findAuditEntries(team.id)).toEqual([])
    const [update, remove, removeMember, transfer] = chefRequests(team)
    for (const [line, body] of [update, transfer, removeMember, remove])
      expect((await server.rest(admin)(line, { ...body, autoAssign: undefined, password: PASSWORD })).status).toBe(200)
    expect(await findAuditEntries(team.id)).toEqual([
      'teams.update',
      'teams.transferOwnership',
      'teams.removeMember',
      'teams.remove',
    ])
  })

  it('answer TEAM_MISSING for a team that does not exist', async () => {
    const gone = { id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' } as Team
    for (const [line, body] of chefRequests(gone))
      expect((await server.rest(chef)(line, body)).body.code).toBe('TEAM_MISSING')
  })

  it('check access over tRPC too', async () => {
    const team = await teamOf(second)
    const procedures = [
      ['teams.update', { id: team.id, description: 'Taken over by somebody.' }],
      ['teams.remove', { id: team.id }],
      ['teams.removeMember', { id: team.id, userId: chef.id }],
      ['teams.transferOwnership', { id: team.id, newOwnerId: second.id }],
    ] as const
    for (const [procedure, input] of procedures)
      expect((await server.trpc(second, procedure, input)).failure.code).toBe('CHEF_ONLY')
    expect((await server.trpc(chef, 'teams.transferOwnership', procedures[3][1])).data.team.ownerId).toBe(second.id)
  })
})

describe('removing a member', () => {
  it('keeps the chef, and rejects a user who is no member', async () => {
    const team = await teamOf(second, third)
    const { body } = await server.rest(chef)(`DELETE /teams/${team.id}/members/${second.id}`)
    expect(body.data.team.members.map(({ userId }: { userId: string }) => userId)).toEqual([chef.id, third.id])
    const again = await server.rest(chef)(`DELETE /teams/${team.id}/members/${second.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'MEMBER_MISSING'])
  })

  it('makes the other member chef when the chef of two is removed, and rejects removing the last member', async () => {
    const team = await teamOf(second)
    const { body } = await server.rest(chef)(`DELETE /teams/${team.id}/members/${chef.id}`)
    expect(chefsOf(body.data.team)).toEqual([second.id])
    const alone = await server.rest(second)(`DELETE /teams/${team.id}/members/${second.id}`)
    expect([alone.status, alone.body.code]).toEqual([409, 'LAST_MEMBER'])
  })

  it('says who was removed from which team if an administrator does it', async () => {
    const team = await teamOf(second)
    const member = (await readTeam(team.id)).members.find(({ userId }) => userId === second.id)
    const removal = `DELETE /admin/teams/${team.id}/members/${second.id}` as const
    const { body } = await server.rest(admin)(removal, { password: PASSWORD })
    expect(body.message).toBe(`${member?.name} removed from ${team.name}`)
    expect((await readTeam(team.id)).memberCount).toBe(1)
  })

  it('requires a choice of the next chef when several members remain', async () => {
    const team = await teamOf(second, third)
    const remove = (body: object) => server.rest(chef)(`DELETE /teams/${team.id}/members/${chef.id}`, body)
    expect((await remove({})).body.code).toBe('NEW_OWNER_REQUIRED')
    const stranger = await remove({ newOwnerId: admin.id })
    expect([stranger.status, stranger.body.message]).toEqual([404, 'New owner not found in team members'])
    expect((await remove({ newOwnerId: chef.id })).body.code).toBe('NEW_OWNER_MISSING')
    expect(chefsOf((await remove({ newOwnerId: third.id })).body.data.team)).toEqual([third.id])

    const other = await teamOf(second, third)
    const assigned = await server.rest(chef)(`DELETE /teams/${other.id}/members/${chef.id}`, { autoAssign: true })
    expect(chefsOf(assigned.body.data.team)).toEqual([second.id])
  })
})

describe('transferring a team', () => {
  it('makes a member the only chef', async () => {
    const team = await teamOf(second, third)
    const transfer = (newOwnerId: string) =>
      server.rest(chef)(`POST /teams/${team.id}/transfer-ownership`, { newOwnerId })
    expect((await transfer(admin.id)).body.message).toBe('New owner not found in team members')
    expect((await transfer(chef.id)).body.code).toBe('ALREADY_CHEF')
    const { body } = await transfer(third.id)
    expect(body.data.team).toMatchObject({ ownerId: third.id, memberCount: 3, isActive: true })
    expect(chefsOf(body.data.team)).toEqual([third.id])
    expect((await transfer(second.id)).body.code).toBe('CHEF_ONLY')
  })
})

describe('deleting a team', () => {
  it('removes its submissions, points and files, and nothing else', async () => {
    const team = await teamOf(second)
    const other = await server.createTeam(third)
    const challenge = await server.createChallenge(admin, { maxSubmissions: 1 })
    const form = fileForm('file', Buffer.from('%PDF-1'), 'plan.pdf')
    const { secureUrl } = (await server.rest(chef)('POST /upload/single', form)).body.data.file
    const apply = (user: TestUser, teamId: string, work: object) =>
      server.rest(user)(`POST /challenges/${challenge.id}/apply`, { teamId, ...work })
    expect((await apply(chef, team.id, { type: 'upload', content: secureUrl })).status).toBe(201)
    expect((await apply(third, other.id, { type: 'link', content: 'https://github.com/atlas/app' })).status).toBe(201)

    expect((await server.rest(chef)(`DELETE /teams/${team.id}`)).status).toBe(200)
    expect((await server.rest(chef)(`GET /teams/${team.id}`)).status).toBe(404)
    expect((await server.app.inject({ url: new URL(secureUrl).pathname })).statusCode).toBe(404)
    const remaining = await server.sql`select team_id from submissions where challenge_id = ${challenge.id}`
    expect(remaining.map((row) => row['team_id'])).toEqual([other.id])
    expect((await server.rest()(`GET /challenges/${challenge.id}`)).body.data.challenge.submissionCount).toBe(1)
    const stored: string[] = []
    for await (const { key } of server.deps.storage.list('')) stored.push(key)
    expect(stored).toEqual([])
    // Its name can be used again.
    await server.createTeam(third, { name: team.name })
  })
})

describe('adding a role', () => {
  const role = { name: 'Technical Writer', emoji: '✍️', category: 'Other', requirements: ['Clear words', ' '] }

  it('is for administrators only, rejects a name in use, and makes the role available to every team', async () => {
    expect((await server.rest(chef)('POST /roles', role)).status).toBe(403)
    const created = await server.rest(admin)('POST /roles', role)
    expect([created.status, created.body.data.role]).toMatchObject([
      201,
      { name: 'Technical Writer', requirements: ['Clear words'] },
    ])
    const twice = await server.rest(admin)('POST /roles', { ...role, name: 'TECHNICAL writer' })
    expect([twice.status, twice.body.code]).toEqual([409, 'DUPLICATE_ROLE'])
    expect(await findAuditEntries(created.body.data.role.id)).toEqual(['roles.create'])
    const { roles } = (await server.rest()('GET /roles')).body.data
    expect(roles.at(-1).name).toBe('Technical Writer')
    await server.createTeam(await server.createMember(), { rolesNeeded: [created.body.data.role] })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ emoji: '' }, 'emoji'],
    [{ category: 'Magic' }, 'category'],
    [{ requirements: 'all' }, 'requirements'],
  ])('rejects %j', async (wrong, path) => {
    const { status, body } = await server.rest(admin)('POST /roles', { ...role, ...wrong })
    expect([status, body.errors?.[0]?.path]).toEqual([400, path])
  })
})
