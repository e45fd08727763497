import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, findQueuedTemplates, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

const updateProfile = (user: TestUser, body: object, headers = {}) =>
  server.rest(user)('PUT /users/profile', body, headers)
const isCodeEnabled = async ({ id }: TestUser) =>
  (await server.sql`select sign_in_otp as on from users where id = ${id}`)[0]?.['on']
async function createMemberWithCode(): Promise<TestUser> {
  const member = await server.createMember()
  expect((await updateProfile(member, { signInOtp: true })).status).toBe(200)
  return member
}
const DISABLE_CODE = { signInOtp: false, currentPassword: PASSWORD }

describe('disabling the sign-in code', () => {
  it.each([
    ['PUT /users/profile', 'profile'],
    ['PUT /users/{id}', undefined],
  ])('requires the current password for %s and changes nothing without it', async (_name, path) => {
    const member = await createMemberWithCode()
    const put = (body: object) => server.rest(member)(`PUT /users/${path ?? member.id}`, body)
    for (const body of [{ signInOtp: false }, { signInOtp: false, bio: 'changed' }])
      expect(await put(body)).toMatchObject({
        status: 400,
        body: { code: 'CURRENT_PASSWORD_REQUIRED', errors: [{ path: 'currentPassword', msg: 'Password is required' }] },
      })
    expect(await put({ ...DISABLE_CODE, currentPassword: ' ' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION' },
    })
    expect(await put({ ...DISABLE_CODE, currentPassword: 'Wrong-2026', bio: 'changed' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_CURRENT_PASSWORD', errors: [{ path: 'currentPassword' }] },
    })
    expect(await isCodeEnabled(member)).toBe(true)
    expect((await server.rest(member)('GET /users/profile')).body.data.user.bio).toBeNull()
    expect((await put(DISABLE_CODE)).body.data.user.signInOtp).toBe(false)
    expect(await isCodeEnabled(member)).toBe(false)
  })

  it('works over tRPC', async () => {
    const member = await createMemberWithCode()
    expect((await server.trpc(member, 'users.updateProfile', { signInOtp: false })).failure.code).toBe(
      'CURRENT_PASSWORD_REQUIRED',
    )
    expect((await server.trpc(member, 'users.updateProfile', DISABLE_CODE)).data.user.signInOtp).toBe(false)
  })

  it('requires no password while it is off, to enable it, or for other fields', async () => {
    const member = await server.createMember()
    expect((await updateProfile(member, { signInOtp: false, name: 'Sara' })).status).toBe(200)
    expect((await updateProfile(member, { signInOtp: true })).status).toBe(200)
    expect((await updateProfile(member, { signInOtp: true, bio: 'maps' })).status).toBe(200)
    expect((await updateProfile(member, { bio: 'more maps' })).status).toBe(200)
    expect(await findQueuedTemplates(server, member.email)).toEqual([])
  })

  it('mails the owner once, in their language, with device, place and time', async () => {
    const member = await createMemberWithCode()
    await updateProfile(member, { language: 'fr' })
    const agent =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'
    const headers = { ...fromAddress('105.158.12.7'), 'user-agent': agent }
    const responses = await Promise.all(times(10, () => updateProfile(member, DISABLE_CODE, headers)))
    expect(responses.map(({ status }) => status)).toEqual(times(10, () => 200))
    const mail = await server.waitForMail(member.email)
    expect(mail.subject).toBe('Le code à la connexion a été désactivé')
    expect(mail.text).toContain('Chrome sur Android')
    expect(mail.text).toContain('105.158.12.7')
    expect(await findQueuedTemplates(server, member.email)).toEqual(['sign-in-code-off'])
  })

  it('counts wrong passwords together with sign-in', async () => {
    const member = await createMemberWithCode()
    for (const _ of times(10, () => 0))
      expect((await updateProfile(member, { ...DISABLE_CODE, currentPassword: 'Wrong-2026' })).body.code).toBe(
        'WRONG_CURRENT_PASSWORD',
      )
    expect(await updateProfile(member, DISABLE_CODE)).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } })
    expect((await server.rest()('POST /auth/login', { email: member.email, password: PASSWORD })).status).toBe(429)
    expect(await isCodeEnabled(member)).toBe(true)
  })

  it('requires a sign-in within ten minutes when the account has no password', async () => {
    const member = await createMemberWithCode()
    await server.sql`update users set password_hash = null where id = ${member.id}`
    await server.clock.setAge('refresh_families', 'created_at', 601, { user_id: member.id })
    for (const body of [{ signInOtp: false }, DISABLE_CODE])
      expect(await updateProfile(member, body)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_AGAIN' } })
    expect(await isCodeEnabled(member)).toBe(true)
    await server.clock.setAge('refresh_families', 'created_at', 590, { user_id: member.id })
    expect((await updateProfile(member, { signInOtp: false })).status).toBe(200)
    expect(await findQueuedTemplates(server, member.email)).toEqual(['sign-in-code-off'])
  })

  it('rejects a password that was changed concurrently', async () => {
    const member = await createMemberWithCode()
    const { passwords } = server.deps
    const next = await passwords.hash('Tagine-2027')
    server.deps.passwords = {
      ...passwords,
      async verify(hash, password) {
        const isRight = await passwords.verify(hash, password)
        await server.sql`update users set password_hash = ${next} where id = ${member.id}`
        return isRight
      },
    }
    const response = await updateProfile(member, DISABLE_CODE)
    server.deps.passwords = passwords
    expect(response.body.code).toBe('WRONG_CURRENT_PASSWORD')
    expect(await isCodeEnabled(member)).toBe(true)
  })
})
