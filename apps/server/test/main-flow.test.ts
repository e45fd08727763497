import { fileForm, PASSWORD, validInput } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { dataOf, openTestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

describe('the main flow over REST', () => {
  it('registers with a mailed code, signs out, signs in and refreshes', async () => {
    const rest = server.rest()
    const account = { name: 'فاطمة العلوي', email: 'fatima@example.ma', password: PASSWORD }
    const started = await rest('POST /auth/register', { ...account, confirmPassword: PASSWORD })
    expect(started.body.data).toEqual({
      requiresOTP: true,
      email: account.email,
      name: account.name,
      expirationMinutes: 5,
      registrationId: expect.any(String),
    })
    const otp = await server.mailedCode(account.email)
    const { body } = await rest('POST /auth/verify-registration-otp', { ...account, otp })
    expect(body.data.user).toMatchObject({ name: account.name, role: 'member' })

    const profile = await server.rest(body.data)('GET /users/profile')
    expect(profile.body.data.user.email).toBe(account.email)
    expect((await server.rest(body.data)('POST /auth/logout')).status).toBe(200)
    expect((await server.rest(body.data)('GET /users/profile')).status).toBe(401)
    expect((await rest('POST /auth/refresh', { refreshToken: body.data.refreshToken })).body.code).toBe(
      'REFRESH_INVALID',
    )

    const login = await rest('POST /auth/login', { email: ' FATIMA@example.ma', password: PASSWORD })
    expect(login.status).toBe(200)
    const renewed = await rest('POST /auth/refresh', { refreshToken: login.body.data.refreshToken })
    expect((await server.rest(renewed.body.data)('GET /users/profile')).status).toBe(200)
  })

  it('creates teams, applies with a link and a file, is evaluated and appears on the leaderboard', async () => {
    const [chef, other, mate, admin] = [
      await server.createMember(),
      await server.createMember('Omar'),
      await server.createMember('Youssef'),
      await server.createAdmin(),
    ]
    const team = await server.createTeam(chef, { maxMembers: 2 })
    const rival = await server.createTeam(other)
    expect((await server.join(team, mate)).status).toBe(201)
    const late = await server.join(team, other)
    expect(late.body).toMatchObject({ code: 'TEAM_FULL', message: 'This team is full (2/2 members)' })
    const card = await server.rest()(`GET /teams/${team.id}`)
    expect(Object.keys(card.body.data.team).toSorted()).toEqual([
      '_id',
      'createdAt',
      'id',
      'isActive',
      'maxMembers',
      'name',
      'rolesNeeded',
      'updatedAt',
    ])

    const challenge = await server.createChallenge(admin, { points: 150 })
    const apply = (user: typeof chef, body: object) => server.rest(user)(`POST /challenges/${challenge.id}/apply`, body)
    const byLink = await apply(chef, {
      teamId: team.id,
      type: 'link',
      content: 'https://github.com/a/b',
      applicationNotes: 'First',
    })
    expect(byLink.status).toBe(201)
    expect((await apply(mate, { teamId: team.id, type: 'link', content: 'https://x.ma/' })).body.code).toBe(
      'CHEF_REQUIRED',
    )
    expect((await apply(chef, { teamId: team.id, type: 'link', content: 'https://x.ma/' })).body.code).toBe(
      'ALREADY_APPLIED',
    )

    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])
    const form = fileForm('file', png, 'écran.png', 'image/png')
    const { file } = await dataOf(server.rest(other)('POST /upload/single', form))
    const byFile = await apply(other, { teamId: rival.id, type: 'file', content: file.secureUrl })
    expect(byFile.body.data.submission).toMatchObject({
      type: 'upload',
      fileInfo: { originalName: 'écran.png', mimeType: 'image/png' },
    })

    const judge = (id: string, body: object) => server.rest(admin)(`POST /submissions/${id}/evaluate`, body)
    const approved = await judge(byLink.body.data.submission.id, { status: 'approved', score: 87, feedback: 'Clear.' })
    expect(approved.body.data.submission).toMatchObject({ score: 87, points: 131, status: 'approved' })
    expect((await judge(byFile.body.data.submission.id, { status: 'rejected' })).status).toBe(200)
    expect((await judge(byLink.body.data.submission.id, { status: 'approved', score: 1 })).body.code).toBe(
      'NOT_PENDING',
    )

    const { leaderboard } = (await server.rest()('GET /teams/leaderboard')).body.data
    expect(leaderboard[0]).toMatchObject({ rank: 1, id: team.id, points: 131, challengesCompleted: 1 })
    const works = (await server.rest()('GET /submissions/approved')).body.data.submissions
    expect(works).toHaveLength(1)
    expect(works[0].submittedBy.email).toBeUndefined()
    await expectInvariants(server.db)
  })
})

describe('the main flow over tRPC', () => {
  it('returns the same data and errors', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef)
    expect((await server.trpc(null, 'teams.get', { id: team.id })).data.team).not.toHaveProperty('members')
    expect((await server.trpc(chef, 'teams.get', { id: team.id })).data.team.members).toHaveLength(1)
    const rejected = await server.trpc(null, 'teams.join', { id: team.id })
    expect(rejected).toMatchObject({ status: 401, failure: { success: false, code: 'NOT_SIGNED_IN' } })
    const bad = await server.trpc(chef, 'teams.create', { name: 'x', surprise: 1 })
    expect(bad.failure.errors.map((error: { path: string }) => error.path)).toEqual(
      expect.arrayContaining(['name', 'description', 'surprise']),
    )
  })

  it('returns the same status for a constraint violation', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef)
    const form = validInput('teams.create', { name: team.name.toUpperCase(), rolesNeeded: team.rolesNeeded })
    const overTrpc = await server.trpc(chef, 'teams.create', form)
    const overRest = await server.rest(chef)('POST /teams', form)
    expect(overRest).toMatchObject({ status: 409, body: { code: 'DUPLICATE_NAME', errors: [{ path: 'name' }] } })
    expect(overTrpc).toMatchObject({ status: 409, failure: overRest.body })
  })
})
