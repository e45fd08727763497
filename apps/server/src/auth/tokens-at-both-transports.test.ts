import { contract, routesOf } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { hashToken } from './hash-token.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

type Pair = Pick<TestUser, 'token' | 'refreshToken'>
const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const routes = routesOf(contract)

const login = async ({ email }: Pick<TestUser, 'email'>): Promise<Pair> =>
  (await server.rest()('POST /auth/login', { email, password: PASSWORD })).body.data

/** The same refresh over each transport; undefined if rejected. */
const REFRESH = {
  rest: async (refreshToken: string): Promise<Pair | undefined> =>
    (await server.rest()('POST /auth/refresh', { refreshToken })).body.data,
  trpc: async (refreshToken: string): Promise<Pair | undefined> =>
    (await server.trpc(null, 'auth.refresh', { refreshToken })).data,
}
type Transport = keyof typeof REFRESH
const TRANSPORT_PAIRS: [Transport, Transport][] = [
  ['rest', 'trpc'],
  ['trpc', 'rest'],
]
const refresh = async (transport: Transport, refreshToken: string): Promise<Pair> => {
  const pair = await REFRESH[transport](refreshToken)
  if (!pair) throw new Error('The refresh was refused')
  return pair
}
const profileStatuses = async ({ token }: Pair) => [
  (await server.rest({ token })('GET /users/profile')).status,
  (await server.trpc({ token }, 'users.profile')).status,
]

describe('an ended session', () => {
  it('is 401 for every procedure that requires a user, over both transports', async () => {
    const member = await server.createMember()
    const ended = await login(member)
    await server.rest(ended)('POST /auth/logout')
    for (const [name, { method, path, access }] of routes) {
      if (access === 'visitor') continue
      const url = path.replace(/\{\w+\}/g, ID)
      const rest = await server.rest(ended)(`${method} ${url}`, method === 'GET' ? undefined : {})
      const trpc = await server.trpc(ended, name, {})
      expect([name, rest.status, trpc.status]).toEqual([name, 401, 401])
    }
    expect([await REFRESH.rest(ended.refreshToken), await REFRESH.trpc(ended.refreshToken)]).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe.each(TRANSPORT_PAIRS)('refresh tokens, spent over %s and reused over %s', (spentOver, reusedOver) => {
  it('reusing the first of three tokens ends the whole session at once, and no other', async () => {
    const member = await server.createMember()
    const first = await login(member)
    const second = await refresh(spentOver, first.refreshToken)
    const third = await refresh(spentOver, second.refreshToken)
    expect(await profileStatuses(third)).toEqual([200, 200])
    expect(await REFRESH[reusedOver](first.refreshToken)).toBeUndefined()
    for (const { refreshToken } of [second, third]) expect(await REFRESH[spentOver](refreshToken)).toBeUndefined()
    for (const pair of [first, second, third]) expect(await profileStatuses(pair)).toEqual([401, 401])
    expect(await profileStatuses(member)).toEqual([200, 200])
  })

  it('the one just spent returns its successor during the grace period; later use counts as theft', async () => {
    const first = await login(await server.createMember())
    const second = await refresh(spentOver, first.refreshToken)
    expect((await refresh(reusedOver, first.refreshToken)).refreshToken).toBe(second.refreshToken)
    // Only the last one spent: once its successor is spent it has no grace period, however recent.
    const third = await refresh(spentOver, second.refreshToken)
    expect((await refresh(reusedOver, second.refreshToken)).refreshToken).toBe(third.refreshToken)
    await server.clock.ageSpentTokens()
    expect(await REFRESH[reusedOver](second.refreshToken)).toBeUndefined()
    expect(await REFRESH[spentOver](third.refreshToken)).toBeUndefined()
    expect(await profileStatuses(third)).toEqual([401, 401])
  })

  it('twenty concurrent uses over both transports make one valid successor in one session', async () => {
    const member = await server.createMember()
    const { refreshToken } = await login(member)
    const pairs = await Promise.all(times(20, (index) => refresh(index % 2 ? spentOver : reusedOver, refreshToken)))
    const successors = [...new Set(pairs.map((pair) => pair.refreshToken))]
    expect(successors).toHaveLength(1)
    for (const pair of pairs) expect(await profileStatuses(pair)).toEqual([200, 200])
    const living = await server.sql`
      select t.hash from refresh_tokens t join refresh_families f on f.id = t.family_id
      where f.revoked_at is null and t.spent_at is null and f.id in
        (select family_id from refresh_tokens where hash = ${hashToken(refreshToken)})`
    expect(living.map(({ hash }) => hash)).toEqual(successors.map(hashToken))
  })
})

describe('a change of role', () => {
  const statusesOf = async (pair: Pair) => [
    (await server.rest(pair)('GET /admin/settings')).status,
    (await server.trpc(pair, 'admin.settings')).status,
    (await server.rest(pair)('POST /admin/verify-password', { password: PASSWORD })).status,
    (await server.trpc(pair, 'admin.verifyPassword', { password: PASSWORD })).status,
  ]
  it('takes effect from the next request on, over both transports, for existing tokens', async () => {
    const admin = await server.createAdmin()
    expect(await statusesOf(admin)).toEqual([200, 200, 200, 200])
    await server.sql`update users set role = 'member' where id = ${admin.id}`
    expect(await statusesOf(admin)).toEqual([403, 403, 403, 403])
    const renewed = await refresh('rest', admin.refreshToken)
    expect(await statusesOf(renewed)).toEqual([403, 403, 403, 403])
    await server.sql`update users set role = 'admin' where id = ${admin.id}`
    expect(await statusesOf(admin)).toEqual([200, 200, 200, 200])
  })
})
