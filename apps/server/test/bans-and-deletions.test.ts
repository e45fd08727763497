import { PASSWORD, rounds, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { fromAddress, TRUST_FORWARDED_FOR } from './accounts.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { openTestServer, openTestServerOn, type TestUser, type TestServer } from './test-server.ts'
import { createTestDatabase } from '@community/testing/database'

const password = PASSWORD
const database = await createTestDatabase()
const server = await openTestServerOn(database, TRUST_FORWARDED_FOR)
/** Another server on the same database. */
const sharedDatabase = { ...database, drop: () => Promise.resolve() }
const other = await openTestServerOn(sharedDatabase, TRUST_FORWARDED_FOR, { secret: server.deps.secret })
const admin = await server.createAdmin()
afterEach(() => expectInvariants(server.db))
afterAll(async () => {
  await other.close()
  await server.close()
})

const ban = (user: Pick<TestUser, 'id'>) =>
  server.rest(admin)('POST /admin/ban', { userId: user.id, reason: 'Spam in every team', password })

describe('a ban', () => {
  it('rejects every request that starts after its response, on two servers', async () => {
    const [role] = await rolesOf(server.db)
    const chef = await server.createMember()
    const team = await server.createTeam(chef, { maxMembers: 11, rolesNeeded: [role] })
    const { id: _inPath, ...joinForm } = validInput('teams.join', { id: team.id, role })
    for (let round = 0; round < rounds(12, 4); round++) {
      const user = await server.createMember()
      const ownTeam = await server.createTeam(user)
      const state = { isBanned: false, count: 0 }
      const accepted: string[] = []
      let { token, refreshToken } = user
      const address = fromAddress(`10.1.${round}.1`)
      const calls: ((of: TestServer) => ReturnType<ReturnType<TestServer['rest']>>)[] = [
        (of) => of.rest({ token })('GET /users/profile'),
        (of) => of.rest({ token })('PUT /users/profile', { bio: `Round ${round}` }),
        (of) => of.rest({ token })('POST /teams', validInput('teams.create', { rolesNeeded: [role] })),
        (of) => of.rest({ token })(`POST /teams/${team.id}/join`, joinForm),
        (of) => of.rest({ token })(`PUT /teams/${ownTeam.id}`, { description: 'Still here, still writing' }),
        (of) => of.rest()('POST /auth/refresh', { refreshToken }, address),
        (of) => of.rest()('POST /auth/login', { email: user.email, password }, address),
      ]
      const callRepeatedly = async (of: TestServer, call: (typeof calls)[number]) => {
        for (let isLast = false; !isLast; ) {
          const isAfterBan = state.isBanned
          const { status, body } = await call(of)
          if (body.data?.token) ({ token, refreshToken } = body.data)
          if (isAfterBan && status < 300) accepted.push(JSON.stringify(body))
          isLast = isAfterBan
          state.count++
        }
      }
      const running = calls.flatMap((call) => [callRepeatedly(server, call), callRepeatedly(other, call)])
      expect((await ban(user)).status).toBe(200)
      state.isBanned = true
      await Promise.all(running)
      expect(accepted).toEqual([])
      expect(state.count).toBeGreaterThan(calls.length)
      const [left] = await server.sql`
        select (select count(*)::int from sessions where user_id = ${user.id}) as sessions,
          (select count(*)::int from refresh_families where user_id = ${user.id} and revoked_at is null) as families,
          (select count(*)::int from codes where user_id = ${user.id} or email = ${user.email}) as codes,
          (select count(*)::int from team_members where user_id = ${user.id}) as teams`
      expect(left).toEqual({ sessions: 0, families: 0, codes: 0, teams: 0 })
    }
  })

  it.each([
    ['a profile', 'PUT /users/profile', { bio: 'Still here' }],
    ['the sign-in code setting', 'PUT /users/profile', { signInOtp: false, currentPassword: password }],
    ['a password', 'POST /auth/change-password', { currentPassword: password, newPassword: 'Tagine-2027' }],
  ] as const)('rejects a change of %s that waited for the ban to commit', async (_what, line, body) => {
    const user = await server.createMember()
    await server.sql`update users set sign_in_otp = true where id = ${user.id}`
    const stored = () => server.sql`select bio, sign_in_otp, password_hash from users where id = ${user.id}`
    const before = await stored()
    let response: ReturnType<ReturnType<TestServer['rest']>> | undefined
    await server.sql.begin(async (tx) => {
      await tx`update users set is_banned = true, ban_reason = 'Spam', banned_at = now() where id = ${user.id}`
      response = server.rest(user)(line, body)
      const findWaiting = () => server.sql`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(findWaiting, { timeout: 1900, interval: 20 }).toHaveLength(1)
    })
    expect(await response).toMatchObject({ status: 403, body: { code: 'BANNED' } })
    expect(await stored()).toEqual(before)
    // An incomplete ban, without a blacklist entry: the next test would count it.
    await server.sql`delete from users where id = ${user.id}`
  })

  it('is atomic: no reader sees a banned user with a session, a code or a team', async () => {
    const state = { isOver: false, reads: 0, partial: 0 }
    const countPartialBans = async () => {
      while (!state.isOver) {
        const rows = await other.sql`
          select u.id from users u where u.is_banned and (
            exists (select 1 from sessions s where s.user_id = u.id)
            or exists (select 1 from codes c where c.email = u.email)
            or exists (select 1 from team_members m where m.user_id = u.id)
            or not exists (select 1 from blacklist b where b.email = u.email)
            or not exists (select 1 from audit_log a where a.target_id = u.id::text and a.action = 'admin.ban'))`
        state.reads++
        state.partial += rows.length
      }
    }
    const watchers = [countPartialBans(), countPartialBans()]
    for (let round = 0; round < 15; round++) {
      const user = await server.createMember()
      await server.createTeam(user)
      await server.rest()('POST /auth/forgot-password', { email: user.email })
      expect((await ban(user)).status).toBe(200)
    }
    state.isOver = true
    await Promise.all(watchers)
    expect(state.reads).toBeGreaterThan(15)
    expect(state.partial).toBe(0)
  })
})

describe('the blacklist', () => {
  const variantsOf = (local: string, domain: string) => [
    `${local}@${domain}`,
    `${local.toUpperCase()}@${domain.toUpperCase()}`,
    `  ${local}@${domain} `,
    `${local}+1@${domain}`,
    `${local}+a+b@${domain}`,
    `${local}+@${domain}`,
  ]
  const GMAIL = ['gmail.com', 'googlemail.com', 'Gmail.com'].flatMap((domain) =>
    ['karim.alami', 'karimalami', 'k.a.r.i.m.alami', 'KARIM.alami+work', 'karimalami+x.y'].map(
      (local) => `${local}@${domain}`,
    ),
  )
  const register = (email: string, at: number) => {
    const form = { name: 'Karim Alami', email, password, confirmPassword: password }
    return server.rest()('POST /auth/register', form, fromAddress(`10.2.${at}.1`))
  }

  it('rejects every spelling of a banned address in every registration procedure with a neutral message', async () => {
    const user = await server.createMember()
    await server.sql`update users set email = 'karim.alami@gmail.com' where id = ${user.id}`
    const plain = await server.createMember()
    await ban(user)
    await ban(plain)
    const [local = '', domain = ''] = plain.email.split('@')
    const all = [...GMAIL, ...variantsOf(local, domain)]
    expect(all.length).toBeGreaterThan(20)
    for (const [at, email] of all.entries()) {
      const rejected = await register(email, at)
      expect([email, rejected.status, rejected.body.code]).toEqual([email, 403, 'EMAIL_REFUSED'])
      expect(rejected.body.message).not.toMatch(/ban|black|list/i)
      const form = { name: 'Karim Alami', email }
      const again = await server.rest()('POST /auth/resend-registration-otp', form, fromAddress(`10.3.${at}.1`))
      expect([email, again.body.code]).toEqual([email, 'EMAIL_REFUSED'])
      const code = { ...form, password, otp: '123456' }
      const verified = await server.rest()('POST /auth/verify-registration-otp', code, fromAddress(`10.4.${at}.1`))
      expect([email, verified.status < 300]).toEqual([email, false])
    }
    for (const [at, email] of [
      'karimalami1@gmail.com',
      'karim-alami@gmail.com',
      'karim.alami@gmail.co',
      'karim.alami@mail.gmail.com',
      `${local}x@${domain}`,
      `x${local}@${domain}`,
      `${local}@mail.${domain}`,
    ].entries())
      expect([email, (await register(email, 100 + at)).status]).toEqual([email, 200])
  })

  it('allows registration again after an unban', async () => {
    const user = await server.createMember()
    const [local, domain] = user.email.split('@')
    await ban(user)
    expect((await register(`${local}+again@${domain}`, 1)).status).toBe(403)
    await server.rest(admin)(`POST /admin/unban/${user.id}`, { password })
    expect((await register(`${local}+again@${domain}`, 2)).status).toBe(200)
  })
})

describe('deleting a user as an administrator', () => {
  /** All values of all text, array and JSON columns, with their column. */
  async function readAllTexts(of: TestServer): Promise<{ place: string; value: string }[]> {
    const columns = await of.sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type not in ('boolean', 'integer', 'smallint', 'bigint')`
    const texts: { place: string; value: string }[] = []
    for (const { table, column } of columns) {
      const rows = await of.sql<{ value: string }[]>`
        select distinct ${of.sql(column)}::text as value from ${of.sql(table)} where ${of.sql(column)} is not null`
      texts.push(...rows.map(({ value }) => ({ place: `${table}.${column}`, value })))
    }
    return texts
  }
  const findColumnsWith = (texts: { place: string; value: string }[], word: string) => [
    ...new Set(texts.filter(({ value }) => value.toLowerCase().includes(word.toLowerCase())).map(({ place }) => place)),
  ]

  it('leaves no personal data in any column and keeps the team’s points and the audit log', async () => {
    const own = await openTestServer()
    const admin = await own.createAdmin()
    const [user, mate] = [await own.createMember('Sentinelle Bensouda'), await own.createMember()]
    const phone = '0677889911'
    await own.rest(user)('PUT /users/profile', {
      phone,
      bio: 'sentinelle bio',
      github: 'https://github.com/sentinelle',
    })
    const [role] = await rolesOf(own.db)
    const team = await own.createTeam(mate, { rolesNeeded: [role] })
    const { id: _inPath, ...form } = validInput('teams.join', {
      id: team.id,
      role,
      name: user.name,
      email: user.email,
      phone,
      bio: 'sentinelle bio',
    })
    await own.rest(user)(`POST /teams/${team.id}/join`, form)
    const challenge = await own.createChallenge(admin)
    const work = { type: 'link', content: 'https://example.ma/work', teamName: team.name }
    const { body } = await own.rest(user)(`POST /challenges/${challenge.id}/submit`, work)
    const verdict = { status: 'approved', score: 80 }
    await own.rest(admin)(`POST /submissions/${body.data.submission.id}/evaluate`, verdict)
    await own.rest(admin)('POST /admin/warnings', { userId: user.id, reason: 'Please be kind', password })
    await own.rest()('POST /auth/forgot-password', { email: user.email })
    await own.rest()('POST /auth/login', { email: user.email, password: 'Wrong-2026' })
    await own.waitForMail(user.email)
    const before = await readAllTexts(own)
    for (const word of [user.email, user.name, phone, 'sentinelle bio'])
      expect(findColumnsWith(before, word).length).toBeGreaterThan(0)
    const log = await own.sql`select id, action, actor_id, target_id from audit_log order by id`

    const done = await own.rest(admin)(`DELETE /admin/users/${user.id}`, { password })
    expect(done.status).toBe(200)
    const after = await readAllTexts(own)
    for (const word of [user.email, user.name, phone, 'sentinelle', user.token, user.refreshToken])
      expect([word, findColumnsWith(after, word)]).toEqual([word, []])
    // Only the audit log keeps their id.
    expect(findColumnsWith(after, user.id)).toEqual(['audit_log.target_id'])

    const logAfter = await own.sql`select id, action, actor_id, target_id from audit_log order by id`
    expect(logAfter.slice(0, -1)).toEqual(log)
    expect(logAfter.at(-1)).toMatchObject({ action: 'admin.deleteUser', actor_id: admin.id, target_id: user.id })
    const { submission } = (await own.rest(mate)(`GET /submissions/${body.data.submission.id}`)).body.data
    expect(submission).toMatchObject({ status: 'approved', score: 80, points: 80, submittedBy: null })
    expect((await own.rest(mate)(`GET /teams/${team.id}`)).body.data.team).toMatchObject({ points: 80, memberCount: 1 })
    await expectInvariants(own.db)
    await own.close()
  })
})
