import { limits } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { countOutcomes, findQueuedTemplates, times } from '../../test/accounts.ts'
import { createToken, requestToken } from '../../test/personal-token.ts'
import { openTestServer } from '../../test/test-server.ts'
import { hashToken } from '../auth/hash-token.ts'
import { generateToken } from './token-format.ts'

const server = await openTestServer()
afterAll(() => server.close())

const getProfile = (caller: { token: string }) => server.rest(caller)('GET /users/profile')
const listTokens = async (user: { token: string }) => (await server.rest(user)('GET /users/tokens')).body.data.tokens
const tokensOf = async ({ id }: { id: string }) => {
  const rows = await server.sql<{ scopes: string[] }[]>`select scopes from personal_tokens where user_id = ${id}`
  return rows.map(({ scopes }) => scopes.join())
}

describe('creating a personal access token', () => {
  it('returns the secret once and stores its hash', async () => {
    const member = await server.createMember()
    const { status, body } = await requestToken(server, member, {
      name: '  Nightly   backup ',
      scopes: ['read', 'write'],
    })
    expect(status).toBe(201)
    const { secret, token } = body.data
    expect(secret).toMatch(/^cmt_[0-9A-Za-z]{36}$/)
    expect(token).toMatchObject({ name: 'Nightly backup', scopes: ['read', 'write'], lastUsedAt: null })
    expect(await listTokens(member)).toEqual([token])
    expect(await findQueuedTemplates(server, member.email)).toContain('access-token-created')
    expect((await server.waitForMail(member.email)).text).toContain('Scopes: Read, Write')
    const [row] = await server.sql`select to_jsonb(t)::text as row from personal_tokens t where id = ${token.id}`
    expect(row?.row).toContain(hashToken(secret))
    expect(row?.row).not.toContain(secret.slice(4))
  })

  it.each([
    [7, 7],
    [30, 30],
    [90, 90],
    [365, 365],
    [undefined, 30],
  ] as const)('with expiresInDays %s expires after %s days', async (expiresInDays, days) => {
    const { body } = await requestToken(server, await server.createMember(), { expiresInDays })
    const { createdAt, expiresAt } = body.data.token
    expect((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000).toBeCloseTo(days, 1)
  })

  it('can be unlimited in time, except for administration', async () => {
    const admin = await server.createAdmin()
    expect((await requestToken(server, admin, { expiresInDays: null })).body.data.token.expiresAt).toBeNull()
    for (const expiresInDays of [null, 90, 365] as const)
      expect(await requestToken(server, admin, { scopes: ['admin'], expiresInDays })).toMatchObject({
        status: 400,
        body: {
          errors: [{ path: 'expiresInDays', msg: 'A token with the Administration scope can last at most 30 days' }],
        },
      })
    expect((await requestToken(server, admin, { scopes: ['admin'], expiresInDays: 7 })).status).toBe(201)
  })

  it('requires the password, counted with sign-ins', async () => {
    const member = await server.createMember()
    expect((await requestToken(server, member, { currentPassword: undefined })).body.code).toBe(
      'CURRENT_PASSWORD_REQUIRED',
    )
    for (const _time of times(limits.SIGN_IN_ATTEMPTS_MAX, (n) => n))
      expect((await requestToken(server, member, { currentPassword: 'Not-Theirs-2026' })).body.code).toBe(
        'WRONG_CURRENT_PASSWORD',
      )
    expect(await requestToken(server, member)).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } })
    expect(await tokensOf(member)).toEqual([])
  })

  it('requires a recent sign-in for an account without a password', async () => {
    const member = await server.createMember()
    await server.sql`update users set password_hash = null where id = ${member.id}`
    expect((await requestToken(server, member, { currentPassword: undefined })).status).toBe(201)
    await server.clock.setAge('refresh_families', 'created_at', 660, { user_id: member.id })
    expect((await requestToken(server, member, { currentPassword: undefined })).body.code).toBe('SIGN_IN_AGAIN')
  })

  it('rejects administration for members, a name in use and invalid fields', async () => {
    const member = await server.createMember()
    expect(await requestToken(server, member, { scopes: ['admin'] })).toMatchObject({
      status: 403,
      body: { code: 'ADMINS_ONLY' },
    })
    await requestToken(server, member, { name: 'Backup' })
    expect(await requestToken(server, member, { name: 'BACKUP' })).toMatchObject({
      status: 409,
      body: { code: 'TOKEN_NAME_TAKEN', errors: [{ path: 'name' }] },
    })
    for (const fields of [{ name: '' }, { name: 'x'.repeat(61) }, { scopes: [] }, { expiresInDays: 8 as 7 }])
      expect((await requestToken(server, member, fields)).body.code).toBe('VALIDATION')
    expect((await requestToken(server, await server.createMember(), { name: 'Backup' })).status).toBe(201)
  })

  it('is rejected beyond twenty tokens, also concurrently', async () => {
    const member = await server.createMember()
    await server.sql`insert into personal_tokens (user_id, name, hash, scopes)
      select ${member.id}, 'Old ' || n, ${member.id} || n, '{read}' from generate_series(1, 18) n`
    expect(await countOutcomes(times(4, () => requestToken(server, member)))).toEqual({
      201: 2,
      '409 TOO_MANY_TOKENS': 2,
    })
    const [oldest] = await listTokens(member)
    expect((await server.rest(member)(`DELETE /users/tokens/${oldest.id}`)).status).toBe(200)
    expect((await requestToken(server, member)).status).toBe(201)
  })
})

describe('a personal access token', () => {
  it('authenticates over both transports until it is revoked', async () => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'write')
    expect((await getProfile(token)).body.data.user.id).toBe(member.id)
    expect((await server.trpc(token, 'users.updateProfile', { bio: 'By a script' })).status).toBe(200)
    const stranger = await server.createMember()
    expect((await server.rest(stranger)(`DELETE /users/tokens/${token.id}`)).body.code).toBe('TOKEN_MISSING')
    expect((await server.rest(member)(`DELETE /users/tokens/${token.id}`)).body.message).toBe('Access token revoked')
    expect(await getProfile(token)).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
    expect((await server.trpc(token, 'users.profile')).status).toBe(401)
    // Public endpoints too, so that nobody is silently served as a visitor.
    expect((await server.rest(token)('GET /teams')).status).toBe(401)
    expect((await getProfile(member)).status).toBe(200)
  })

  it('is not listed or ended as a session', async () => {
    const member = await server.createMember()
    await createToken(server, member, 'read')
    expect((await server.rest(member)('GET /auth/sessions')).body.data.sessions).toHaveLength(1)
    await server.rest(member)('DELETE /auth/sessions', { andThisOne: true })
    expect(await tokensOf(member)).toEqual(['read'])
  })

  it('is reported as expired', async () => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'read')
    await server.clock.expire('personal_tokens', { id: token.id })
    expect(await getProfile(token)).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED', expired: true } })
    expect(await listTokens(member)).toHaveLength(1)
  })

  it('with a wrong checksum is rejected without a query', async () => {
    const token = generateToken()
    const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    const sent: string[] = []
    const options = server.sql.options as { debug?: unknown }
    // Records only these statements, because the job worker queries at the same time.
    const debug = (_connection: number, statement: string) => {
      if (statement.includes('from "personal_tokens"')) sent.push(statement)
    }
    Object.assign(options, { debug })
    for (const malformed of [wrong, 'cmt_0123456789abcdef', `${token}0`])
      expect((await getProfile({ token: malformed })).status).toBe(401)
    expect(sent).toEqual([])
    expect((await getProfile({ token })).status).toBe(401)
    expect(sent).toHaveLength(1)
    delete options.debug
  })

  it('records its last use at most once a minute', async () => {
    const token = await createToken(server, await server.createMember(), 'read')
    const age = async () =>
      (
        await server.sql<{ age: number | null; version: string }[]>`
        select extract(epoch from now() - last_used_at)::float as age, xmin::text as version
        from personal_tokens where id = ${token.id}`
      )[0]
    expect((await age())?.age).toBeNull()
    await Promise.all(times(5, () => getProfile(token)))
    await expect.poll(async () => (await age())?.age).toBeLessThan(5)
    const { version } = (await age()) ?? {}
    for (const _again of times(5, (n) => n)) await getProfile(token)
    expect((await age())?.version).toBe(version)
    await server.clock.setAge('personal_tokens', 'last_used_at', 61, { id: token.id })
    await getProfile(token)
    await expect.poll(async () => (await age())?.age).toBeLessThan(5)
  })

  it('does not disable the sign-in code', async () => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'write')
    const fields = { signInOtp: false, currentPassword: PASSWORD }
    expect((await server.rest(token)('PUT /users/profile', fields)).body.code).toBe('SESSION_REQUIRED')
    expect((await server.rest(member)('PUT /users/profile', fields)).status).toBe(200)
  })
})

describe('personal access tokens are revoked', () => {
  it('at a ban, for good', async () => {
    const [admin, member] = [await server.createAdmin(), await server.createMember()]
    const token = await createToken(server, member, 'write')
    const password = PASSWORD
    await server.rest(admin)('POST /admin/ban', { userId: member.id, reason: 'Spam', password })
    expect((await getProfile(token)).status).toBe(401)
    expect((await server.rest(admin)(`POST /admin/unban/${member.id}`, { password })).status).toBe(200)
    expect((await getProfile(token)).status).toBe(401)
  })

  it('with the account', async () => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'write')
    expect((await server.rest(member)(`DELETE /users/${member.id}`, { password: PASSWORD })).status).toBe(200)
    expect((await getProfile(token)).status).toBe(401)
  })

  it.each([
    [undefined, 200],
    [false, 200],
    [true, 401],
  ])('at a password change with revokeTokens: %s (%s)', async (revokeTokens, status) => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'read')
    const change = { currentPassword: PASSWORD, newPassword: 'Tagine-2027', revokeTokens }
    expect((await server.rest(member)('POST /auth/change-password', change)).status).toBe(200)
    expect((await getProfile(token)).status).toBe(status)
  })

  it('at a password reset', async () => {
    const member = await server.createMember()
    const token = await createToken(server, member, 'read')
    const { email } = member
    await server.rest()('POST /auth/forgot-password', { email })
    const password = 'Tagine-2027'
    const reset = { email, otp: await server.mailedCode(email), password, confirmPassword: password }
    expect((await server.rest()('POST /auth/reset-password', reset)).status).toBe(200)
    expect((await getProfile(token)).status).toBe(401)
  })

  it('or not created when a ban runs at the same time', async () => {
    const admin = await server.createAdmin()
    for (const _round of times(5, (n) => n)) {
      const member = await server.createMember()
      const ban = { userId: member.id, reason: 'Spam', password: PASSWORD }
      const [created] = await Promise.all([requestToken(server, member), server.rest(admin)('POST /admin/ban', ban)])
      expect([201, 401, 403]).toContain(created.status)
      expect(await tokensOf(member)).toEqual([])
    }
  })
})
