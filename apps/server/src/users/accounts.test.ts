import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer()
const admin = await server.createAdmin()
afterAll(() => server.close())

const PRIVATE = [
  'email',
  'phone',
  'role',
  'bio',
  'github',
  'isBanned',
  'banReason',
  'warnings',
  'signInOtp',
  'hasPassword',
]

async function submitWork(user: TestUser, teamId: string, verdict?: object): Promise<string> {
  const challenge = await server.createChallenge(admin, { points: 50 })
  const { body } = await server.rest(user)(`POST /challenges/${challenge.id}/apply`, {
    teamId,
    type: 'link',
    content: 'https://example.ma/work',
    applicationNotes: 'our notes',
  })
  const { id } = body.data.submission
  if (verdict) await server.rest(admin)(`POST /submissions/${id}/evaluate`, verdict)
  return id
}
const approved = { status: 'approved', score: 100 }
const rejected = { status: 'rejected', feedback: 'Not yet' }

describe('a user', () => {
  it('shows others name, picture, teams and approved work, and everything to the user and administrators', async () => {
    const [user, mate, stranger] = [
      await server.createMember('Hind Alaoui'),
      await server.createMember(),
      await server.createMember(),
    ]
    await server.rest(user)('PUT /users/profile', { phone: '0612345678', bio: 'maps' })
    const [shown, hidden] = [
      await server.createTeam(user, { name: 'B visible' }),
      await server.createTeam(user, { name: 'A hidden' }),
    ]
    await server.join(hidden, mate)
    const work = await submitWork(user, shown.id, approved)
    await submitWork(user, shown.id, rejected)
    await submitWork(user, shown.id)
    const unseen = await submitWork(user, hidden.id, approved)
    await server.sql`update teams set is_active = false where id = ${hidden.id}`

    const seenBy = async (viewer: TestUser) => (await server.rest(viewer)(`GET /users/${user.id}`)).body.data.user
    const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)
    const publicView = await seenBy(stranger)
    expect(publicView).toMatchObject({ id: user.id, _id: user.id, name: 'Hind Alaoui', avatarUrl: null })
    expect(Object.keys(publicView).filter((key) => PRIVATE.includes(key))).toEqual([])
    expect([idsOf(publicView.teams), idsOf(publicView.works)]).toEqual([[shown.id], [work]])
    expect(publicView.works[0].submittedBy.email).toBeUndefined()
    expect(publicView.works[0].metadata.submissionNotes).toBe('')
    // Members see their inactive teams.
    expect(idsOf((await seenBy(mate)).teams)).toEqual([hidden.id, shown.id])
    for (const viewer of [user, admin]) {
      const all = await seenBy(viewer)
      expect(all).toMatchObject({
        email: user.email,
        phone: '0612345678',
        bio: 'maps',
        hasPassword: true,
        role: 'member',
      })
      expect(idsOf(all.teams)).toEqual([hidden.id, shown.id])
      expect(idsOf(all.works)).toEqual([unseen, work])
    }
    const overTrpc = await server.trpc(stranger, 'users.get', { id: user.id })
    expect(overTrpc.data.user).toEqual(publicView)
    expect(JSON.stringify([publicView, await seenBy(admin)])).not.toContain('argon2')
  })

  it('shows at most twenty works, newest first', async () => {
    const user = await server.createMember()
    const team = await server.createTeam(user)
    const ids: string[] = []
    for (let remaining = 21; remaining > 0; remaining--) ids.push(await submitWork(user, team.id, approved))
    const { works } = (await server.rest(await server.createMember())(`GET /users/${user.id}`)).body.data.user
    expect(works.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed().slice(0, 20))
  })

  it('answers 404 for an unknown id and 401 to visitors', async () => {
    expect((await server.rest(admin)(`GET /users/${randomUUID()}`)).body.code).toBe('USER_MISSING')
    expect((await server.rest()(`GET /users/${admin.id}`)).status).toBe(401)
  })
})

describe('PUT /users/{id}', () => {
  it('updates the caller’s own profile only', async () => {
    const [user, other] = [await server.createMember(), await server.createMember()]
    const changed = await server.rest(user)(`PUT /users/${user.id}`, { bio: 'through the other route', phone: '' })
    expect(changed).toMatchObject({ status: 200, body: { message: 'Profile updated' } })
    expect(changed.body.data.user).toEqual((await server.rest(user)('GET /users/profile')).body.data.user)
    for (const caller of [other, admin]) {
      const rejected = await server.rest(caller)(`PUT /users/${user.id}`, { bio: 'defaced' })
      expect(rejected).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_ACCOUNT' } })
      const overTrpc = await server.trpc(caller, 'users.update', { id: user.id, bio: 'defaced' })
      expect(overTrpc).toMatchObject({ status: 403, failure: { code: 'NOT_YOUR_ACCOUNT' } })
    }
    const { body } = await server.rest(user)(`PUT /users/${user.id}`, {
      bio: 'x',
      role: 'admin',
      avatarUrl: 'https://a.b/',
    })
    expect(body.errors?.map(({ path }) => path).toSorted()).toEqual(['avatarUrl', 'role'])
    expect((await server.rest(user)('GET /users/profile')).body.data.user.bio).toBe('through the other route')
  })
})

describe('the dashboard', () => {
  it('returns account, statistics, teams and their submissions', async () => {
    const [user, chef] = [await server.createMember(), await server.createMember()]
    const [own, guest] = [
      await server.createTeam(user, { name: `Z ${randomUUID().slice(0, 8)}` }),
      await server.createTeam(chef),
    ]
    await server.join(guest, user)
    const first = await submitWork(user, own.id, approved)
    const second = await submitWork(user, own.id, rejected)
    const third = await submitWork(chef, guest.id)
    const { dashboard } = (await server.rest(user)('GET /users/dashboard')).body.data
    expect(dashboard.user).toEqual((await server.rest(user)('GET /users/profile')).body.data.user)
    expect(dashboard.stats).toEqual({
      teams: 2,
      points: 50,
      challengesCompleted: 1,
      submissions: 3,
      pending: 1,
      approved: 1,
      rejected: 1,
    })
    expect(dashboard.teams.map(({ id }: { id: string }) => id)).toEqual([guest.id, own.id])
    expect(dashboard.teams[0].members).toHaveLength(2)
    expect(dashboard.submissions.map(({ id }: { id: string }) => id)).toEqual([third, second, first])
    expect(dashboard.submissions[1]).toMatchObject({ feedback: 'Not yet', metadata: { submissionNotes: 'our notes' } })
    expect((await server.trpc(user, 'users.dashboard')).data).toEqual({ dashboard })
  })

  it('is empty for a user without a team', async () => {
    const { dashboard } = (await server.rest(await server.createMember())('GET /users/dashboard')).body.data
    expect(dashboard).toMatchObject({ teams: [], submissions: [], stats: { teams: 0, points: 0, submissions: 0 } })
  })
})

describe('GET /users/submissions', () => {
  it('pages the caller’s submissions; of former teams only approved ones', async () => {
    const [user, mate] = [await server.createMember(), await server.createMember()]
    const [team, other] = [await server.createTeam(user), await server.createTeam(user)]
    await server.join(team, mate)
    const ids = [
      await submitWork(user, team.id),
      await submitWork(user, other.id, rejected),
      await submitWork(user, team.id, approved),
    ]
    const page = async (query: string) => (await server.rest(user)(`GET /users/submissions?${query}`)).body.data
    const { submissions, pagination } = await page('limit=2')
    expect(pagination).toMatchObject({ page: 1, limit: 2, total: 3, totalPages: 2 })
    const rest = (await page('limit=2&page=2')).submissions
    expect([...submissions, ...rest].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    expect(rest[0]).toMatchObject({ status: 'pending', metadata: { submissionNotes: 'our notes' } })
    expect(rest[0].submittedBy.email).toBe(user.email)
    const further = await page(`limit=2&page=2&cursor=${pagination.nextCursor}`)
    expect(further.submissions).toEqual(rest)
    expect(further.pagination.nextCursor).toBeNull()

    await server.rest(user)(`POST /teams/${team.id}/leave`)
    await submitWork(mate, team.id)
    const left = await page('')
    expect(left.submissions.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
    expect(left.pagination.total).toBe(2)
    expect(left.submissions[0]).toMatchObject({ status: 'approved', metadata: { submissionNotes: '' } })
    expect((await server.rest(mate)('GET /users/submissions')).body.data.submissions).toHaveLength(1)
  })
})

describe('GET /users/debug', () => {
  it('returns the caller’s session, and 404 in production', async () => {
    const user = await server.createMember()
    const { session } = (await server.rest(user)('GET /users/debug', undefined, { 'user-agent': 'a phone' })).body.data
    expect(session).toMatchObject({ userId: user.id, role: 'member', userAgent: 'a phone', address: '127.0.0.1' })
    const left = Date.parse(session.expiresAt) - Date.parse(session.serverTime)
    expect(left).toBeGreaterThan(14 * 60_000)
    expect(left).toBeLessThanOrEqual(15 * 60_000 + 1000)
    const [family] = await server.sql`select user_id from refresh_families where id = ${session.signInId}`
    expect(family?.user_id).toBe(user.id)
    expect(JSON.stringify(session)).not.toContain(user.token)

    const { config } = server.deps
    const nodeEnv = config.nodeEnv
    config.nodeEnv = 'production'
    try {
      expect((await server.rest(user)('GET /users/debug')).body.code).toBe('NOT_FOUND')
      expect(await server.trpc(user, 'users.debug')).toMatchObject({ status: 404, failure: { code: 'NOT_FOUND' } })
    } finally {
      config.nodeEnv = nodeEnv
    }
  })
})
