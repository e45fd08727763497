import { contract } from '@community/contract'
import { connect, inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { PASSWORD } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, countOutcomes, times } from '../../test/accounts.ts'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { createProcedureBuilder } from '../../test/fixture.ts'
import { openTestServerOn, type TestUser, type TestServer } from '../../test/test-server.ts'
import { login as passwordLogin } from './login.ts'
import { hashToken } from './hash-token.ts'
import { endAllFamilies } from './session-commands.ts'
import { findCaller } from './sessions.ts'

const database = await createTestDatabase()
const server = await openTestServerOn(database, TRUST_FORWARDED_FOR)
afterAll(() => server.close())

type Pair = Pick<TestUser, 'token' | 'refreshToken'>

const login = async ({ email }: Pick<TestUser, 'email'>): Promise<Pair> =>
  (await server.rest()('POST /auth/login', { email, password: PASSWORD })).body.data
const refresh = (refreshToken: string) => server.rest()('POST /auth/refresh', { refreshToken })
const profile = (token: string) => server.rest({ token })('GET /users/profile')
const pairOf = async (response: ReturnType<typeof refresh>): Promise<Pair> => (await response).body.data
/** Moves spent tokens out of the grace period. */
const endGracePeriod = () => server.clock.ageSpentTokens()
const countLiveTokens = async (userId: string) =>
  Number(
    (
      await server.sql`
        select count(*) from refresh_tokens t join refresh_families f on f.id = t.family_id
        where f.user_id = ${userId} and f.revoked_at is null and t.spent_at is null`
    )[0]?.count,
  )

describe('tokens', () => {
  it('are stored as hashes only', async () => {
    const member = await server.createMember()
    const rows = await server.sql`
      select to_jsonb(s)::text as row from sessions s union all
      select to_jsonb(t)::text from refresh_tokens t union all
      select to_jsonb(f)::text from refresh_families f`
    const all = rows.map(({ row }) => row).join('\n')
    expect(all).toContain(hashToken(member.token))
    expect(all).not.toContain(member.token)
    expect(all).not.toContain(member.refreshToken)
    // The stored hash is not a valid token.
    expect((await profile(hashToken(member.token))).status).toBe(401)
    expect((await refresh(hashToken(member.refreshToken))).status).toBe(401)
  })

  it('expire after fifteen minutes, and are reported as expired for a day', async () => {
    const member = await server.createMember()
    const [row] = await server.sql`
      select extract(epoch from expires_at - now())::int as left from sessions where id = ${hashToken(member.token)}`
    expect(row?.left).toBeGreaterThan(890)
    expect(row?.left).toBeLessThanOrEqual(900)
    await server.clock.expire('sessions', { id: hashToken(member.token) })
    expect(await profile(member.token)).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED', expired: true } })
    const { failure } = await server.trpc(member, 'users.profile')
    expect(failure).toMatchObject({ code: 'TOKEN_EXPIRED', expired: true })
    // Public procedures do not silently return less; those that create a session ignore an expired token.
    expect((await server.rest(member)('GET /teams')).status).toBe(401)
    const again = await server.rest(member)('POST /auth/refresh', { refreshToken: member.refreshToken })
    expect((await profile(again.body.data.token)).status).toBe(200)
  })

  it('are not renewed by use', async () => {
    const member = await server.createMember()
    await server.clock.expireIn(60, 'sessions', { id: hashToken(member.token) })
    expect((await profile(member.token)).status).toBe(200)
    const [row] = await server.sql`
      select extract(epoch from expires_at - now())::int as left from sessions where id = ${hashToken(member.token)}`
    expect(row?.left).toBeLessThanOrEqual(60)
  })

  it.each(['', 'x'.repeat(40), '0'.repeat(200), '../../etc/passwd-and-more'])(
    'are rejected if unknown: %j',
    async (token) => expect((await profile(token)).body.code).toBe('NOT_SIGNED_IN'),
  )

  it('are read with one prepared statement', async () => {
    const member = await server.createMember()
    const pool = connect(database.url, { max: 1 })
    await pool.sql`select 1`
    const sent: string[] = []
    Object.assign(pool.sql.options, { debug: (_connection: number, statement: string) => sent.push(statement) })
    const deps = { db: pool.db, log: server.deps.log }
    expect(await findCaller(deps, member.token)).toMatchObject({
      id: member.id,
      name: member.name,
      email: member.email,
      role: 'member',
    })
    expect(await findCaller(deps, member.token)).toMatchObject({ id: member.id })
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(1)
    const prepared = await pool.sql<{ statement: string }[]>`select statement from pg_prepared_statements`
    expect(prepared.map(({ statement }) => statement)).toContain(sent[0])
    await pool.close()
  })

  it('take 14 statements per sign-in, all prepared', async () => {
    const { email } = await server.createMember()
    const pool = connect(database.url, { max: 1 })
    const metered = await openMeteredPool({ openDirectPool: () => pool })
    const signIn = createProcedureBuilder(pool.db, null, { ...server.deps, db: pool.db })(
      contract.auth.login,
      passwordLogin,
    )
    // The first sign-in from a device also queues a mail.
    await signIn({ email, password: PASSWORD })
    const cost = await metered.measure(() => signIn({ email, password: PASSWORD }))
    expect(cost).toEqual({ count: 14, unprepared: ['begin '] })
    await pool.close()
  })
})

describe('signing out', () => {
  it('ends both tokens for every procedure, over both transports, and no other session', async () => {
    const member = await server.createMember()
    const phone = await login(member)
    expect((await server.rest(phone)('POST /auth/logout')).status).toBe(200)
    for (const path of ['/users/profile', '/challenges/my-team-applications', `/users/${member.id}/teams`] as const)
      expect((await server.rest(phone)(`GET ${path}`)).status).toBe(401)
    expect((await server.trpc(phone, 'users.profile')).status).toBe(401)
    expect((await refresh(phone.refreshToken)).body.code).toBe('REFRESH_INVALID')
    expect((await server.trpc(null, 'auth.refresh', { refreshToken: phone.refreshToken })).status).toBe(401)
    expect((await profile(member.token)).status).toBe(200)
  })

  it('with the refresh token of another session ends that one too', async () => {
    const member = await server.createMember()
    const [phone, tablet, kept] = [await login(member), await login(member), await login(member)]
    await server.rest(tablet)('POST /auth/logout', { refreshToken: phone.refreshToken })
    for (const { token, refreshToken } of [tablet, phone]) {
      expect((await profile(token)).status).toBe(401)
      expect((await refresh(refreshToken)).body.code).toBe('REFRESH_INVALID')
    }
    expect((await profile(kept.token)).status).toBe(200)
  })

  it.each(['no token', 'an expired one', 'one that nobody knows'])(
    'requires only the refresh token, valid or spent, with %s',
    async (bearer) => {
      const member = await server.createMember()
      const spent = await login(member)
      const phone = await pairOf(refresh(spent.refreshToken))
      const tablet = await login(member)
      await server.clock.expireIn(-3600, 'sessions', { id: hashToken(phone.token) })
      const caller = { 'no token': null, 'an expired one': phone }[bearer] ?? { token: 'x'.repeat(40) }
      const response = await server.rest(bearer === 'no token' ? null : caller)('POST /auth/logout', {
        refreshToken: bearer === 'no token' ? spent.refreshToken : phone.refreshToken,
      })
      expect(response).toMatchObject({ status: 200, body: { success: true, message: 'Signed out' } })
      expect((await refresh(phone.refreshToken)).body.code).toBe('REFRESH_INVALID')
      expect((await refresh(spent.refreshToken)).status).toBe(401)
      expect((await profile(spent.token)).status).toBe(401)
      expect((await profile(tablet.token)).status).toBe(200)
    },
  )

  it('responds the same whether or not there was a session', async () => {
    const phone = await login(await server.createMember())
    const ended = await server.rest(phone)('POST /auth/logout', { refreshToken: phone.refreshToken })
    const responses = [
      await server.rest(phone)('POST /auth/logout', { refreshToken: phone.refreshToken }),
      await server.rest()('POST /auth/logout'),
      await server.rest()('POST /auth/logout', { refreshToken: 'never seen by anybody' }),
      await server.rest({ token: 'x'.repeat(40) })('POST /auth/logout', {}),
    ]
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: ended.status, body: ended.body })
    expect(await server.trpc(phone, 'auth.logout')).toMatchObject({ status: 200, data: {} })
  })
})

describe('refresh tokens', () => {
  it.each(['x', 'never-seen', 'x'.repeat(200)])('are rejected with 401 if unknown: %j', async (token) =>
    expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'REFRESH_INVALID', invalid: true } }),
  )

  it('are valid once; reuse ends the whole session with its access tokens', async () => {
    const first = await login(await server.createMember())
    const second = await pairOf(refresh(first.refreshToken))
    const third = await pairOf(refresh(second.refreshToken))
    expect(new Set([first, second, third].flatMap(({ token, refreshToken }) => [token, refreshToken])).size).toBe(6)
    expect((await profile(third.token)).status).toBe(200)
    // Older than the one just spent: no grace period, however recent.
    expect(await refresh(first.refreshToken)).toMatchObject({
      status: 401,
      body: { code: 'REFRESH_INVALID', invalid: true },
    })
    expect((await refresh(third.refreshToken)).status).toBe(401)
    for (const { token } of [first, second, third]) expect((await profile(token)).status).toBe(401)
    const [family] = await server.sql`
      select revoked_reason from refresh_families f join refresh_tokens t on t.family_id = f.id
      where t.hash = ${hashToken(third.refreshToken)}`
    expect(family?.revoked_reason).toMatch(/used again/)
  })

  it('just spent return the same pair to the same client for a minute; then reuse ends the session', async () => {
    const first = await login(await server.createMember())
    const [renewed, again] = [await pairOf(refresh(first.refreshToken)), await pairOf(refresh(first.refreshToken))]
    await server.clock.ageSpentTokens(55)
    expect([again, await pairOf(refresh(first.refreshToken))]).toEqual([renewed, renewed])
    expect((await profile(again.token)).status).toBe(200)
    await endGracePeriod()
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect((await refresh(renewed.refreshToken)).status).toBe(401)
    expect((await profile(renewed.token)).status).toBe(401)
  })

  it.each([
    ['another address', fromAddress('198.51.100.7')],
    ['another user agent', { 'user-agent': 'curl/8' }],
  ])('just spent end the session when reused from %s', async (_client, headers) => {
    const first = await login(await server.createMember())
    const renewed = await pairOf(refresh(first.refreshToken))
    const { refreshToken } = first
    const reused = await server.rest()('POST /auth/refresh', { refreshToken }, headers)
    expect(reused.body.code).toBe('REFRESH_INVALID')
    expect((await profile(renewed.token)).status).toBe(401)
  })

  it('just spent return the same pair to a known browser on another network', async () => {
    const { email } = await server.createMember()
    const signIn = await server.rest()('POST /auth/login', { email, password: PASSWORD })
    const cookie = String(signIn.headers['set-cookie']).split(';')[0] ?? ''
    const refreshFrom = (address: string) =>
      pairOf(
        server.rest()(
          'POST /auth/refresh',
          { refreshToken: signIn.body.data.refreshToken },
          { cookie, ...fromAddress(address) },
        ),
      )
    const renewed = await refreshFrom('198.51.100.8')
    expect(await refreshFrom('203.0.113.9')).toEqual(renewed)
    expect((await profile(renewed.token)).status).toBe(200)
  })

  it('just spent at the previous version, which stored neither client nor access token, return a valid pair', async () => {
    const first = await login(await server.createMember())
    const renewed = await pairOf(refresh(first.refreshToken))
    await server.sql`update refresh_tokens set spent_by = null where hash = ${hashToken(first.refreshToken)}`
    await server.sql`delete from sessions where id = ${hashToken(renewed.token)}`
    expect(await pairOf(refresh(first.refreshToken))).toEqual(renewed)
    expect((await profile(renewed.token)).status).toBe(200)
    await server.clock.setAge('refresh_tokens', 'spent_at', 11, { hash: hashToken(first.refreshToken) })
    expect((await refresh(first.refreshToken)).status).toBe(401)
  })

  it('used twenty times concurrently create one valid successor in one session', async () => {
    const member = await server.createMember()
    await server.sql`delete from refresh_families where user_id = ${member.id}`
    for (let again = 0; again < 5; again++) {
      const { refreshToken } = await login(member)
      const pairs = await Promise.all(times(20, () => pairOf(refresh(refreshToken))))
      expect(new Set(pairs.map(({ token, refreshToken }) => `${token} ${refreshToken}`)).size).toBe(1)
      expect(await countLiveTokens(member.id)).toBe(again + 1)
      expect(await countOutcomes(pairs.map(({ token }) => profile(token)))).toEqual({ 200: 20 })
    }
  })

  it('end after thirty days regardless of rotations', async () => {
    const member = await server.createMember()
    const pair = await pairOf(refresh(member.refreshToken))
    const [family] = await server.sql`
      select extract(epoch from expires_at - created_at)::int as life from refresh_families where user_id = ${member.id}`
    expect(family?.life).toBe(30 * 86_400)
    await server.clock.expire('refresh_families', { user_id: member.id })
    expect((await refresh(pair.refreshToken)).body.code).toBe('REFRESH_INVALID')
  })

  it('are limited to ten thousand rotations per address in 15 minutes, and stay valid', async () => {
    const { refreshToken } = await server.createMember()
    await server.sql`
      insert into rate_limits (key, count, resets_at) values ('refreshes:10.202.0.1', 10000, now() + interval '900 seconds')`
    const there = await server.rest()('POST /auth/refresh', { refreshToken }, fromAddress('10.202.0.1'))
    expect(there).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

describe('a sign-in', () => {
  it('is limited to 120 rotations in 15 minutes from any address; its token and others stay valid', async () => {
    const member = await server.createMember()
    let pair = await pairOf(refresh(member.refreshToken))
    const [family] = await server.sql`select id from refresh_families where user_id = ${member.id}`
    const key = `renewals:${family?.id}`
    expect(
      await server.sql`update rate_limits set count = 119 where key = ${key} and count = 1 returning 1`,
    ).toHaveLength(1)
    pair = await pairOf(refresh(pair.refreshToken))
    const rejected = await refresh(pair.refreshToken)
    expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(rejected.body.cooldown).toBeGreaterThan(890)
    const other = await server.rest()('POST /auth/login', { email: member.email, password: PASSWORD })
    expect((await refresh(other.body.data.refreshToken)).status).toBe(200)
    await server.clock.resetLimits({ key })
    expect((await refresh(pair.refreshToken)).status).toBe(200)
  })
})

describe('a ban', () => {
  /** Like an administrator's ban: sets the flag and ends all sessions in one transaction. */
  const ban = (of: TestServer, id: string) =>
    inTransaction(of.db, async (tx) => {
      const flag = { isBanned: true, banReason: 'spam', bannedAt: sql`now()` }
      await tx.update(users).set(flag).where(eq(users.id, id))
      await endAllFamilies(tx, id, 'banned')
    })

  it('is revealed only with the password or the tokens', async () => {
    const member = await server.createMember()
    await ban(server, member.id)
    const signIn = (password: string) => server.rest()('POST /auth/login', { email: member.email, password })
    expect(await signIn(PASSWORD)).toMatchObject({ status: 403, body: { code: 'BANNED' } })
    expect((await signIn('Zellige-2027')).body.code).toBe('WRONG_CREDENTIALS')
    expect((await profile(member.token)).status).toBe(401)
    expect((await refresh(member.refreshToken)).body.code).toBe('BANNED')
  })

  it('in progress makes a sign-in and a refresh wait, then rejects them', async () => {
    const member = await server.createMember()
    const waiting = async () =>
      (
        await server.sql`
      select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      ).length
    const other = database.connect()
    const late = await inTransaction(other.db, async (tx) => {
      const flag = { isBanned: true, banReason: 'spam', bannedAt: sql`now()` }
      await tx.update(users).set(flag).where(eq(users.id, member.id))
      await endAllFamilies(tx, member.id, 'banned')
      const calls = [
        server.rest()('POST /auth/login', { email: member.email, password: PASSWORD }),
        refresh(member.refreshToken),
      ]
      await expect.poll(waiting, { timeout: 1900 }).toBeGreaterThanOrEqual(2)
      return { calls }
    })
    expect(await countOutcomes(late.calls)).toEqual({ '403 BANNED': 2 })
    await other.close()
  })

  it('ends concurrent requests, refreshes and sign-ins, over two servers', async () => {
    const withoutDrop = { ...database, drop: () => Promise.resolve() }
    const other = await openTestServerOn(withoutDrop, TRUST_FORWARDED_FOR, { secret: server.deps.secret })
    const servers = [server, other]
    const calls = (of: TestServer, { token, refreshToken }: Pair) =>
      Promise.all([of.rest({ token })('GET /users/profile'), of.rest()('POST /auth/refresh', { refreshToken })])
    for (let round = 0; round < 25; round++) {
      const member = await server.createMember()
      const state = { isBanned: false, answeredAfter: 0 }
      const sendUntilBanned = async (of: TestServer): Promise<Pair> => {
        let pair: Pair = member
        while (!state.isBanned) {
          const [, renewed] = await calls(of, pair)
          pair = renewed.body.data ?? pair
        }
        // Started after the response to the ban: none of these may succeed.
        for (const { status } of await calls(of, pair)) if (status < 300) state.answeredAfter++
        return pair
      }
      const signIns = servers.map((of) => of.rest()('POST /auth/login', { email: member.email, password: PASSWORD }))
      const sending = servers.map(sendUntilBanned)
      await ban(round % 2 ? server : other, member.id)
      state.isBanned = true
      const pairs = await Promise.all(sending)
      for (const { body } of await Promise.all(signIns)) if (body.data) pairs.push(body.data)
      for (const pair of pairs)
        for (const of of servers)
          expect((await calls(of, pair)).map(({ status }) => status)).toEqual([
            401,
            expect.toSatisfy((status: number) => status === 401 || status === 403),
          ])
      expect(state.answeredAfter).toBe(0)
      const [left] = await server.sql`
        select (select count(*)::int from sessions where user_id = ${member.id}) as sessions,
          (select count(*)::int from refresh_families where user_id = ${member.id} and revoked_at is null) as families`
      expect(left).toEqual({ sessions: 0, families: 0 })
    }
    await other.close()
  })
})
