import { limits } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

let member: TestUser
const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

const login = () => server.rest()('POST /auth/login', { email: member.email, password: PASSWORD })
/** Adds sign-ins that were used just now. */
const addSignIns = (count: number, state: 'active' | 'ended' = 'active') => server.sql`
  insert into refresh_families (user_id, expires_at, revoked_at)
  select ${member.id}, now() + interval '1 day', case ${state} when 'ended' then now() end from generate_series(1, ${count})`
const counts = async () => {
  const [row] = await server.sql`
    select count(*)::int as all, count(*) filter (where revoked_at is null)::int as active
    from refresh_families where user_id = ${member.id} and expires_at > now()`
  return row
}
const statusesOf = async ({ token, refreshToken }: Pick<TestUser, 'token' | 'refreshToken'>) => [
  (await server.rest({ token })('GET /users/profile')).status,
  (await server.rest()('POST /auth/refresh', { refreshToken })).status,
]

describe('an account with as many sign-ins as are stored', () => {
  it('loses the one that was used longest ago with the next', async () => {
    member = await server.createMember()
    const { body } = await login()
    await server.clock.setAge('refresh_families', 'last_used_at', 86_400, { user_id: member.id })
    // The older one was used last.
    await server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken }, fromAddress('105.158.12.7'))
    await addSignIns(limits.SIGN_INS_MAX - 2)
    const { pagination } = (await server.rest(member)('GET /auth/sessions')).body.data
    expect(pagination.total).toBe(limits.SIGN_INS_MAX)
    const next = await login()
    expect(await statusesOf(body.data)).toEqual([401, 401])
    expect((await server.rest(member)('GET /users/profile')).status).toBe(200)
    expect(await statusesOf(next.body.data)).toEqual([200, 200])
    expect(await counts()).toEqual({ all: limits.SIGN_INS_MAX, active: limits.SIGN_INS_MAX })
  })

  it('loses ended ones first', async () => {
    member = await server.createMember()
    await server.clock.setAge('refresh_families', 'last_used_at', 86_400, { user_id: member.id })
    await addSignIns(limits.SIGN_INS_MAX + 5, 'ended')
    await login()
    expect(await counts()).toEqual({ all: limits.SIGN_INS_MAX, active: 2 })
    expect((await server.rest(member)('GET /users/profile')).status).toBe(200)
  })

  it('keeps no more after concurrent sign-ins', async () => {
    member = await server.createMember()
    await addSignIns(limits.SIGN_INS_MAX - 1)
    const statuses = (await Promise.all(times(16, login))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (let last = 0; last < 2; last++) expect((await login()).status).toBe(200)
    expect(await counts()).toEqual({ all: limits.SIGN_INS_MAX, active: limits.SIGN_INS_MAX })
  })
})

describe('ending all sign-ins', () => {
  it('leaves expired sessions alone, of which there may be a million', async () => {
    member = await server.createMember()
    await server.clock.expireIn(-3600, 'sessions', { user_id: member.id })
    const { token } = (await login()).body.data
    expect((await server.rest({ token })('DELETE /auth/sessions', { andThisOne: true })).status).toBe(200)
    const codes = [member.token, token].map(async (each) => {
      return (await server.rest({ token: each })('GET /users/profile')).body.code
    })
    expect(await Promise.all(codes)).toEqual(['TOKEN_EXPIRED', 'NOT_SIGNED_IN'])
  })

  it('by a ban leaves them alone too', async () => {
    member = await server.createMember()
    await server.clock.expireIn(-3600, 'sessions', { user_id: member.id })
    const { token } = (await login()).body.data
    const ban = { userId: member.id, reason: 'Casino links', password: PASSWORD }
    expect((await server.rest(await server.createAdmin())('POST /admin/ban', ban)).status).toBeLessThan(300)
    const left = await server.sql`select expires_at < now() as "isExpired" from sessions where user_id = ${member.id}`
    expect(left).toEqual([{ isExpired: true }])
    expect((await server.rest({ token })('GET /users/profile')).status).toBe(401)
  })
})
