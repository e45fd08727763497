import { inTransaction } from '@community/db'
import { PASSWORD } from '@community/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RestResponse, openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { notifyJoin } from './notify-team.ts'

let server: TestServer
let admin: TestUser
let chef: TestUser
let member: TestUser
let team: Awaited<ReturnType<TestServer['createTeam']>>

beforeAll(async () => {
  server = await openTestServer()
})
beforeEach(async () => {
  admin = await server.createAdmin()
  chef = await server.createMember('Chafik Chef')
  member = await server.createMember('Mina Member')
  team = await server.createTeam(chef, { maxMembers: 11 })
  await succeed(server.join(team, member))
  await deleteNotifications()
})
afterAll(() => server.close())

const succeed = async (response: Promise<RestResponse>): Promise<RestResponse['body']['data']> => {
  const { status, body } = await response
  expect(body).toMatchObject({ success: true })
  expect(status).toBeLessThan(300)
  return body.data
}
const deleteNotifications = () => server.sql`delete from notifications`
/** Every stored notification as “kind: recipient”, sorted. */
async function findStored(): Promise<string[]> {
  const rows = await server.sql<{ kind: string; user_id: string }[]>`select kind, user_id from notifications`
  const names = new Map([
    [admin.id, 'admin'],
    [chef.id, 'chef'],
    [member.id, 'member'],
  ])
  return rows.map(({ kind, user_id: id }) => `${kind}: ${names.get(id) ?? 'other'}`).toSorted()
}
const list = async (user: TestUser, query = '', headers = {}) =>
  succeed(server.rest(user)(`GET /notifications${query}`, undefined, headers))
const LINK_WORK = { type: 'link', content: 'https://github.com/atlas-lions/app' }
async function apply(overrides = {}): Promise<{ id: string; title: string; submissionId: string }> {
  const { id, title } = await server.createChallenge(admin, overrides)
  const { submission } = await succeed(
    server.rest(chef)(`POST /challenges/${id}/apply`, { teamId: team.id, ...LINK_WORK }),
  )
  await deleteNotifications()
  return { id, title, submissionId: submission.id }
}
const judge = (id: string, verdict: object) => succeed(server.rest(admin)(`POST /submissions/${id}/evaluate`, verdict))

describe('a team’s notifications', () => {
  it('reach the other members when somebody joins, with the name of the account', async () => {
    await succeed(server.join(team, await server.createMember('Nora New')))
    expect(await findStored()).toEqual(['team.member.joined: chef', 'team.member.joined: member'])
    const { notifications } = await list(chef)
    expect(notifications[0]).toMatchObject({
      text: `Nora New joined ${team.name}`,
      href: '#dashboard',
      teamId: team.id,
    })
  })

  it('reach the remaining members and the next chef when somebody leaves', async () => {
    await succeed(server.rest(chef)(`POST /teams/${team.id}/leave`))
    expect(await findStored()).toEqual(['team.chef: member', 'team.member.left: member'])
  })

  it('reach a removed member but not the chef who removed them', async () => {
    await succeed(server.rest(chef)(`DELETE /teams/${team.id}/members/${member.id}`, {}))
    expect(await findStored()).toEqual(['team.member.removed: member'])
  })

  it('do not reach a banned member, and name nobody whose account was deleted', async () => {
    const third = await server.createMember('Tarik Third')
    await succeed(server.join(team, third))
    await deleteNotifications()
    const ban = { userId: third.id, reason: 'Spam in every team', password: PASSWORD }
    await succeed(server.rest(admin)('POST /admin/ban', ban))
    expect(await findStored()).toEqual(['team.member.left: chef', 'team.member.left: member'])
    await deleteNotifications()
    await succeed(server.rest(member)(`DELETE /users/${member.id}`, { password: PASSWORD }))
    expect(await findStored()).toEqual(['team.member.left: chef'])
    expect((await list(chef)).notifications[0].text).toBe(`A member is no longer in ${team.name}`)
  })

  it('are deleted with the account that they name', async () => {
    const third = await server.createMember('Tarik Third')
    await succeed(server.join(team, third))
    await succeed(server.rest(third)(`DELETE /users/${third.id}`, { password: PASSWORD }))
    expect(await findStored()).toEqual(['team.member.left: chef', 'team.member.left: member'])
  })

  it('reach the new chef and the members of a renamed or deactivated team', async () => {
    await succeed(server.rest(chef)(`POST /teams/${team.id}/transfer-ownership`, { newOwnerId: member.id }))
    expect(await findStored()).toEqual(['team.chef: member'])
    await deleteNotifications()
    const name = `${team.name} II`.slice(-40)
    await succeed(server.rest(admin)(`PUT /admin/teams/${team.id}/rename`, { name, password: PASSWORD }))
    await succeed(server.rest(admin)(`POST /admin/teams/${team.id}/deactivate`))
    expect(await findStored()).toEqual([
      'team.deactivated: chef',
      'team.deactivated: member',
      'team.renamed: chef',
      'team.renamed: member',
    ])
  })

  it('reach the members of a deleted team, except who deleted it', async () => {
    await succeed(server.rest(chef)(`DELETE /teams/${team.id}`, {}))
    expect(await findStored()).toEqual(['team.deleted: member'])
    expect((await list(member)).notifications[0]).toMatchObject({ text: `${team.name} was deleted`, teamId: null })
    const other = await server.createTeam(chef)
    await succeed(server.join(other, member))
    await deleteNotifications()
    await succeed(server.rest(admin)(`DELETE /admin/teams/${other.id}`, { password: PASSWORD }))
    expect(await findStored()).toEqual(['team.deleted: chef', 'team.deleted: member'])
  })

  it('are written once for each of several people who join concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => server.createMember()))
    await Promise.all(people.map((person) => succeed(server.join(team, person))))
    // The chef and the member get six each; a new member gets one for each person who joins later.
    expect(await findStored()).toHaveLength(6 * 2 + 5 + 4 + 3 + 2 + 1)
  })

  it('are not written when the cause is rolled back', async () => {
    const failed = inTransaction(server.db, async (tx) => {
      await notifyJoin(tx, { ...team, isActive: true }, member.id)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await findStored()).toEqual([])
  })
})

describe('a submission’s notifications', () => {
  it('reach the team with the points, and once it enters the top three', async () => {
    await server.sql`update teams set points = 0, points_reached_at = null`
    const { title, submissionId } = await apply({ points: 100 })
    await judge(submissionId, { status: 'approved', score: 80 })
    expect(await findStored()).toEqual([
      'submission.approved: chef',
      'submission.approved: member',
      'team.top-three: chef',
      'team.top-three: member',
    ])
    const texts = (await list(chef)).notifications.map(({ text }: { text: string }) => text)
    expect(texts).toEqual(
      expect.arrayContaining([
        `Your work for ${title} was approved. Points: 80`,
        `${team.name} entered the top three. Rank: 1`,
      ]),
    )
    const again = await apply({ points: 100 })
    await judge(again.submissionId, { status: 'approved', score: 80 })
    expect(await findStored()).toEqual(['submission.approved: chef', 'submission.approved: member'])
  })

  it('do not announce a rank below the third', async () => {
    await server.sql`update teams set points = 0, points_reached_at = null`
    for (let rank = 0; rank < 3; rank++) {
      const other = await server.createTeam(await server.createMember())
      await server.sql`update teams set points = 5000, points_reached_at = now() where id = ${other.id}`
    }
    const { submissionId } = await apply({ points: 100 })
    await judge(submissionId, { status: 'approved', score: 80 })
    expect(await findStored()).toEqual(['submission.approved: chef', 'submission.approved: member'])
  })

  it('have the feedback of a rejection, and say that work was reset or deleted', async () => {
    const { submissionId } = await apply()
    await judge(submissionId, { status: 'rejected', feedback: 'Add a licence' })
    expect(await findStored()).toEqual(['submission.rejected: chef', 'submission.rejected: member'])
    expect((await list(member)).notifications[0]).toMatchObject({ detail: 'Add a licence', submissionId })
    await deleteNotifications()
    await succeed(server.rest(admin)(`POST /submissions/${submissionId}/reset-evaluation`))
    await succeed(server.rest(admin)(`DELETE /submissions/${submissionId}`, { password: PASSWORD }))
    expect(await findStored()).toEqual([
      'submission.deleted: chef',
      'submission.deleted: member',
      'submission.reset: chef',
      'submission.reset: member',
    ])
    expect((await list(chef)).notifications[0]).toMatchObject({ kind: 'submission.deleted', submissionId: null })
  })

  it('say that the challenge was deleted, with the points that the team lost', async () => {
    const { id, title, submissionId } = await apply({ points: 100 })
    await judge(submissionId, { status: 'approved', score: 80 })
    const waiting = await server.createMember()
    const waitingTeam = await server.createTeam(waiting)
    const work = { teamId: waitingTeam.id, ...LINK_WORK }
    await succeed(server.rest(waiting)(`POST /challenges/${id}/apply`, work))
    await deleteNotifications()
    const updatedAt = async () => {
      const [row] =
        await server.sql`select extract(epoch from updated_at)::float8 as at from teams where id = ${waitingTeam.id}`
      return row?.['at'] as number
    }
    const before = await updatedAt()
    await succeed(server.rest(admin)(`DELETE /admin/challenges/${id}`, { password: PASSWORD }))
    expect(await findStored()).toEqual([
      'challenge.deleted: chef',
      'challenge.deleted: member',
      'challenge.deleted: other',
    ])
    const textFor = async (user: TestUser) => (await list(user)).notifications[0].text
    expect(await textFor(member)).toBe(`${title} was deleted. Points taken back: 80`)
    expect(await textFor(waiting)).toBe(`${title} was deleted. Points taken back: 0`)
    // Streams and `updatedSince` report the team, whose dashboard shows less.
    expect(await updatedAt()).toBeGreaterThan(before)
  })

  it('are written once when several verdicts race', async () => {
    const { submissionId } = await apply()
    const verdict = { status: 'rejected', feedback: 'Too late' }
    await Promise.all(
      Array.from({ length: 5 }, () => server.rest(admin)(`POST /submissions/${submissionId}/evaluate`, verdict)),
    )
    expect(await findStored()).toEqual(['submission.rejected: chef', 'submission.rejected: member'])
  })
})

describe('an account’s notifications', () => {
  it('say that it was warned, and that its role changed', async () => {
    const password = PASSWORD
    const warning = { userId: member.id, reason: 'Shared a solution', password }
    await succeed(server.rest(admin)('POST /admin/warnings', warning))
    await succeed(server.rest(admin)(`PUT /admin/users/${chef.id}/role`, { role: 'admin', password }))
    expect(await findStored()).toEqual(['account.role-changed: chef', 'account.warned: member'])
    expect((await list(member)).notifications[0]).toMatchObject({ detail: 'Shared a solution', reason: 'account' })
  })

  it('say once that somebody signed in from a new device', async () => {
    const login = { email: member.email, password: PASSWORD }
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    for (let count = 0; count < 2; count++) await succeed(server.rest()('POST /auth/login', login, headers))
    expect(await findStored()).toEqual(['account.new-device: member'])
    expect((await list(member)).notifications[0].text).toContain('Firefox')
    const [row] = await server.sql`select mail from notifications`
    expect(row).toEqual({ mail: 'off' })
  })
})

describe('preferences', () => {
  const change = (user: TestUser, body: object) => server.rest(user)('PUT /notifications/preferences', body)
  const OFF = { app: false, mail: 'off', push: false }

  it('decide what is written and listed', async () => {
    await succeed(change(chef, { preferences: [{ kind: 'team.member.joined', ...OFF }] }))
    const onlyMail = { app: false, mail: 'weekly', push: false }
    await succeed(change(member, { preferences: [{ kind: 'team.member.joined', ...onlyMail }] }))
    await succeed(server.join(team, await server.createMember()))
    expect(await findStored()).toEqual(['team.member.joined: member'])
    expect(await server.sql`select is_in_app, mail, push from notifications`).toMatchObject([
      { is_in_app: false, mail: 'weekly', push: false },
    ])
    expect(await list(member)).toMatchObject({ notifications: [], unread: 0 })
  })

  it('keep the fields that a change omits, and reject unknown values at their field', async () => {
    const settings = { digestHour: 19, quietHours: { from: '22:00', to: '07:00' } }
    await succeed(change(chef, { settings }))
    const changed = await succeed(change(chef, { settings: { timeZone: 'Europe/Paris' } }))
    expect(changed.settings).toEqual({ ...settings, digestWeekday: 1, timeZone: 'Europe/Paris' })
    const pathsOf = async (body: object) => {
      const response = await change(chef, body)
      expect(response.status).toBe(400)
      return response.body.errors?.map(({ path }) => path)
    }
    expect(await pathsOf({ preferences: [{ kind: 'team.gossip', ...OFF }] })).toEqual(['preferences.0.kind'])
    expect(await pathsOf({ preferences: [{ kind: 'account.warned', ...OFF }] })).toEqual(['preferences.0.mail'])
    expect(await pathsOf({ settings: { timeZone: 'Europe/Atlantis' } })).toEqual(['settings.timeZone'])
    expect(await pathsOf({ settings: { quietHours: { from: '9', to: '10:00' } } })).toEqual([
      'settings.quietHours.from',
    ])
  })
})

describe('the inbox', () => {
  const insert = (user: TestUser, count: number) => server.sql`
    insert into notifications (user_id, kind, params, is_in_app, mail, push)
    select ${user.id}, 'account.warned', jsonb_build_object('warning', n::text), true, 'off', false
    from generate_series(1, ${count}::int) n`
  const details = (page: { notifications: { detail: string }[] }) => page.notifications.map(({ detail }) => detail)

  it('pages newest first, and neither skips nor repeats under inserts', async () => {
    await insert(chef, 25)
    const first = await list(chef)
    await insert(chef, 3)
    const second = await list(chef, `?cursor=${first.pagination.nextCursor}`)
    const seen = [...details(first), ...details(second)]
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => String(25 - index)))
    expect(second.pagination.nextCursor).toBeNull()
  })

  it('counts unread ones up to a hundred', async () => {
    await insert(chef, 130)
    expect((await list(chef)).unread).toBe(100)
  })

  it('marks some, or all up to one, and undoes only what the call marked', async () => {
    await insert(chef, 5)
    const { notifications } = await list(chef)
    const read = (body: object) => succeed(server.rest(chef)('POST /notifications/read', body))
    expect(await read({ ids: [notifications[4].id] })).toMatchObject({ changed: 1, unread: 4 })
    const all = await read({ until: notifications[1].id })
    expect(all).toMatchObject({ changed: 3, unread: 1 })
    expect(details(await list(chef, '?unread=true'))).toEqual(['5'])
    expect(details(await list(chef, '?unread=false'))).toEqual(['4', '3', '2', '1'])
    const undone = await read({ until: notifications[1].id, isRead: false, readAt: all.readAt })
    expect(undone).toEqual({ changed: 3, readAt: null, unread: 4 })
    for (const readAt of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00']) {
      const { body } = await server.rest(chef)('POST /notifications/read', { ids: [notifications[0].id], readAt })
      expect(body).toMatchObject({ code: 'VALIDATION', errors: [{ path: 'readAt' }] })
    }
  })

  it('marks thousands in several transactions, which one call undoes', async () => {
    await insert(chef, 11_000)
    const until = (await list(chef)).notifications[0].id
    const read = (body: object) => succeed(server.rest(chef)('POST /notifications/read', body))
    const { changed, readAt, unread } = await read({ until })
    expect([changed, unread]).toEqual([11_000, 0])
    const transactions = await server.sql`
      select count(*)::int as marked from notifications where user_id = ${chef.id} group by xmin::text order by 1`
    expect(transactions.map(({ marked }) => marked)).toEqual([1000, 5000, 5000])
    expect(await read({ until, isRead: false, readAt })).toEqual({ changed: 11_000, readAt: null, unread: 100 })
  })

  it('marks all of thousands, also while another call marks one of them', async () => {
    await insert(chef, 6000)
    const until = (await list(chef)).notifications[0].id
    const findWaiting = () =>
      server.sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    const marking = await server.sql.begin(async (tx) => {
      await tx`update notifications set read_at = now() where user_id = ${chef.id} and id = ${until}`
      const call = succeed(server.rest(chef)('POST /notifications/read', { until }))
      await expect.poll(findWaiting).toHaveLength(1)
      return [call]
    })
    expect(await marking[0]).toMatchObject({ changed: 5999, unread: 0 })
  })

  it('rejects other people’s ids like unknown ones, and changes nothing', async () => {
    await insert(chef, 1)
    await insert(member, 1)
    const [own, foreign] = [(await list(chef)).notifications[0].id, (await list(member)).notifications[0].id]
    const markAsRead = async (ids: string[]) => {
      const { status, body } = await server.rest(chef)('POST /notifications/read', { ids })
      return { status, body }
    }
    const unknown = await markAsRead([own, crypto.randomUUID()])
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOTIFICATION_MISSING' } })
    expect(await markAsRead([own, foreign])).toEqual(unknown)
    expect((await list(member)).unread + (await list(chef)).unread).toBe(2)
  })

  it('uses the language of the request, else of the account', async () => {
    await succeed(server.rest(chef)('PUT /users/profile', { language: 'fr' }))
    await insert(chef, 1)
    const textIn = async (headers: object) => (await list(chef, '', headers)).notifications[0].text
    expect(await textIn({})).toBe('Vous avez reçu un avertissement de l’administration')
    expect(await textIn({ 'accept-language': 'ar' })).toBe('وجّهت إليك الإدارة إنذارًا')
  })
})
