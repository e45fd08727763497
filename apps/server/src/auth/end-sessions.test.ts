import type { SignIn } from '@community/contract'
import { PASSWORD, rounds } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, countOutcomes, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { hashToken } from './hash-token.ts'

const ROUNDS = rounds(200)

const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

type Pair = Pick<TestUser, 'token' | 'refreshToken'>

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const login = async ({ email }: Pick<TestUser, 'email'>, headers = {}): Promise<Pair> =>
  (await server.rest()('POST /auth/login', { email, password: PASSWORD }, headers)).body.data
const refresh = ({ refreshToken }: Pair, headers = {}) => server.rest()('POST /auth/refresh', { refreshToken }, headers)
const list = async (caller: Pair): Promise<SignIn[]> =>
  (await server.rest(caller)('GET /auth/sessions?limit=100')).body.data.sessions
const end = (pair: Pair, id: string) => server.rest(pair)(`DELETE /auth/sessions/${id}`)
const endAll = (pair: Pair, body: object = {}) => server.rest(pair)('DELETE /auth/sessions', body)
const currentId = async (pair: Pair): Promise<string> => (await list(pair)).find(({ isCurrent }) => isCurrent)?.id ?? ''

/** The statuses of requests with a pair of tokens, over both transports. */
const statusesOf = async (pair: Pair) => [
  (await server.rest(pair)('GET /users/profile')).status,
  (await server.trpc(pair, 'users.profile')).status,
  (await refresh(pair)).status,
]
const ALL_REJECTED = [401, 401, 401]

describe('the list of sessions', () => {
  it('shows device and place, the current one first, then by last use', async () => {
    const member = await server.createMember()
    const stranger = await server.createMember()
    const phone = await login(member, { 'user-agent': PHONE, ...fromAddress('105.158.12.7') })
    await server.clock.setAge('refresh_families', 'last_used_at', 10_800, { user_id: member.id })
    const laptop = await login(member, { ...fromAddress('8.8.8.8') })
    const sessions = await list(phone)
    expect(sessions).toEqual([
      {
        id: expect.any(String),
        _id: sessions[0]?.id,
        browser: 'Chrome',
        system: 'Android',
        address: '105.158.12.7',
        country: 'MA',
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        isCurrent: true,
        hasPush: false,
      },
      expect.objectContaining({ address: '8.8.8.8', country: 'US', browser: null, system: null, isCurrent: false }),
      expect.objectContaining({ address: '127.0.0.1', country: null, isCurrent: false }),
    ])
    expect(Date.now() - Date.parse(sessions[0]?.lastSeenAt ?? '')).toBeLessThan(60_000)
    expect(Date.now() - Date.parse(sessions[2]?.lastSeenAt ?? '')).toBeGreaterThan(10_000_000)
    const { data } = await server.trpc(laptop, 'auth.sessions', {})
    expect(data.sessions.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      sessions.map(({ id }) => id).toSorted(),
    )
    expect(await list(stranger)).toHaveLength(1)
  })

  it('has pages by number and by cursor, far beyond a hundred, and all can be ended', async () => {
    const member = await server.createMember()
    await server.sql`
      insert into refresh_families (user_id, user_agent, address, last_used_at, expires_at)
      select ${member.id}, '', '10.0.0.1', now() - (n / 3) * interval '1 minute', now() + interval '1 day' from generate_series(1, 254) n`
    const page = async (query: string) => (await server.rest(member)(`GET /auth/sessions?${query}`)).body.data
    const idsOf = ({ sessions }: { sessions: SignIn[] }) => sessions.map(({ id }) => id)
    const first = await page('')
    expect(first.sessions).toHaveLength(10)
    expect(first.sessions.map(({ isCurrent }: SignIn) => isCurrent)).toEqual([true, ...times(9, () => false)])
    expect(first.pagination).toMatchObject({ page: 1, limit: 10, total: 255, totalPages: 26 })

    const [byCursor, byPage]: [string[], string[]] = [[], []]
    for (let cursor = ''; ; ) {
      const next = await page(`limit=100${cursor}`)
      byCursor.push(...idsOf(next))
      if (next.pagination.nextCursor === null) break
      cursor = `&cursor=${next.pagination.nextCursor}`
    }
    for (const number of [1, 2, 3]) byPage.push(...idsOf(await page(`limit=100&page=${number}`)))
    expect(new Set(byCursor).size).toBe(255)
    expect(byCursor).toEqual(byPage)
    expect((await server.rest(member)('GET /auth/sessions?limit=101')).status).toBe(400)
    expect((await server.rest(member)('GET /auth/sessions?cursor=x')).body.errors).toMatchObject([{ path: 'cursor' }])

    expect((await end(member, byCursor.at(-1) ?? '')).status).toBe(200)
    expect((await endAll(member)).body.data).toEqual({ ended: 253 })
    expect((await page('')).pagination).toMatchObject({ total: 1, nextCursor: null })
  })

  it('omits ended sessions', async () => {
    const member = await server.createMember()
    const [out, old, living] = [await login(member), await login(member), await login(member)]
    await server.rest(out)('POST /auth/logout')
    const [session] = await server.sql`select family_id as id from sessions where id = ${hashToken(old.token)}`
    await server.clock.expire('refresh_families', { id: session?.['id'] })
    expect(await list(living)).toHaveLength(2)
  })

  it('shows the address of the last refresh, still as one session', async () => {
    const member = await server.createMember()
    const pair = (await refresh(member, fromAddress('105.158.12.7'))).body.data
    expect(await list(pair)).toMatchObject([{ address: '105.158.12.7', country: 'MA', isCurrent: true }])
  })

  it('records the last use once a minute without delaying requests', async () => {
    const member = await server.createMember()
    const readLastUse = async () =>
      (
        await server.sql`select last_used_at, xmin::text as version from refresh_families where user_id = ${member.id}`
      )[0]
    const call = () => server.rest(member)('GET /users/profile')
    const fresh = await readLastUse()
    await Promise.all(times(20, call))
    expect(await readLastUse()).toEqual(fresh)
    await server.clock.setAge('refresh_families', 'last_used_at', 61, { user_id: member.id })
    const old = await readLastUse()
    await Promise.all(times(20, call))
    await expect.poll(async () => (await readLastUse())?.['last_used_at'] > old?.['last_used_at']).toBe(true)
    const recorded = await readLastUse()
    await Promise.all(times(20, call))
    expect(await readLastUse()).toEqual(recorded)
    // A lock on the row delays the update, not the request.
    await server.clock.setAge('refresh_families', 'last_used_at', 61, { user_id: member.id })
    await server.sql.begin(async (tx) => {
      await tx`select 1 from refresh_families where user_id = ${member.id} for update`
      expect((await call()).status).toBe(200)
    })
  })
})

describe('ending a session', () => {
  it('ends its tokens at once over both transports, and no others', async () => {
    const member = await server.createMember()
    const phone = await login(member)
    const response = await end(member, await currentId(phone))
    expect(response).toMatchObject({ status: 200, body: { message: 'Device signed out', data: {} } })
    expect(await statusesOf(phone)).toEqual(ALL_REJECTED)
    expect(await list(member)).toHaveLength(1)
  })

  it('works for the current one', async () => {
    const member = await server.createMember()
    expect((await end(member, await currentId(member))).status).toBe(200)
    expect(await statusesOf(member)).toEqual(ALL_REJECTED)
  })

  it('rejects the sessions of others and ended ones as missing', async () => {
    const [member, other] = [await server.createMember(), await server.createMember()]
    const foreign = await currentId(other)
    const admin = await server.createAdmin()
    for (const user of [member, admin])
      expect(await end(user, foreign)).toMatchObject({ status: 404, body: { code: 'SESSION_MISSING' } })
    expect((await server.trpc(member, 'auth.endSession', { id: foreign })).failure.code).toBe('SESSION_MISSING')
    expect((await server.rest(other)('GET /users/profile')).status).toBe(200)
    const phone = await login(member)
    const id = await currentId(phone)
    expect((await end(member, id)).status).toBe(200)
    expect((await end(member, id)).body.code).toBe('SESSION_MISSING')
    expect((await end(member, member.id)).body.code).toBe('SESSION_MISSING')
  })

  it('of all others keeps the current one; of all keeps none; other users keep theirs', async () => {
    const [member, other] = [await server.createMember(), await server.createMember()]
    const pairs = [await login(member), await login(member), await login(member)]
    expect(await endAll(member)).toMatchObject({
      status: 200,
      body: { message: 'Signed out everywhere else', data: { ended: 3 } },
    })
    for (const pair of pairs) expect(await statusesOf(pair)).toEqual(ALL_REJECTED)
    expect(await list(member)).toMatchObject([{ isCurrent: true }])
    expect((await endAll(member)).body.data).toEqual({ ended: 0 })

    await login(member)
    expect((await server.trpc(member, 'auth.endSessions', { andThisOne: true })).data).toEqual({ ended: 2 })
    expect(await statusesOf(member)).toEqual(ALL_REJECTED)
    const again = await login(member)
    expect((await endAll(again, { andThisOne: true })).body).toMatchObject({
      message: 'Signed out everywhere',
      data: { ended: 1 },
    })
    expect(await statusesOf(again)).toEqual(ALL_REJECTED)
    expect((await server.rest(other)('GET /users/profile')).status).toBe(200)
  })

  it('succeeds once of twenty concurrent requests', async () => {
    const member = await server.createMember()
    const id = await currentId(await login(member))
    expect(await countOutcomes(times(20, () => end(member, id)))).toEqual({ 200: 1, '404 SESSION_MISSING': 19 })
  })

  it('leaves no valid token during a concurrent refresh, repeatedly', { timeout: ROUNDS * 2000 }, async () => {
    const member = await server.createMember()
    for (let round = 0; round < ROUNDS; round++) {
      const phone = await login(member)
      const id = await currentId(phone)
      const ending = () => (round % 4 < 2 ? end(member, id) : endAll(member))
      // Either request may be first.
      const calls = round % 2 ? [ending(), refresh(phone)] : [refresh(phone), ending()]
      const [first, second] = await Promise.all(calls)
      const renewed = (round % 2 ? second : first)?.body.data as Pair | undefined
      for (const pair of renewed ? [phone, renewed] : [phone]) {
        const statuses = [(await server.rest(pair)('GET /users/profile')).status, (await refresh(pair)).status]
        expect([round, ...statuses]).toEqual([round, 401, 401])
      }
    }
    const [left] = await server.sql`
      select (select count(*)::int from sessions where user_id = ${member.id}) as sessions,
        (select count(*)::int from refresh_families where user_id = ${member.id} and revoked_at is null) as families`
    expect(left).toEqual({ sessions: 1, families: 1 })
  })

  it('of all during concurrent sign-ins leaves none half-created', async () => {
    const member = await server.createMember()
    const pairs = (await Promise.all([...times(10, () => login(member)), endAll(member), endAll(member)])).slice(0, 10)
    const living = await list(member)
    let alive = 0
    for (const pair of pairs as Pair[]) {
      const [rest, trpc, renewed] = await statusesOf(pair)
      expect([rest, trpc]).toEqual([renewed, renewed])
      if (renewed === 200) alive++
    }
    expect(living).toHaveLength(alive + 1)
  })
})
