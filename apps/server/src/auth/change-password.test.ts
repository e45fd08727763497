import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import {
  TRUST_FORWARDED_FOR,
  fromAddress,
  newAddress,
  findQueuedTemplates,
  countOutcomes,
  times,
} from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { createPasswordHasher } from './passwords.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR, { passwords: createPasswordHasher() })
afterAll(() => server.close())

const NEXT = 'Tagine-2027'
const change = (
  user: Pick<TestUser, 'token'>,
  {
    current = PASSWORD,
    next = NEXT,
    headers = newAddress(),
  }: { current?: string; next?: string; headers?: Record<string, string> } = {},
) => server.rest(user)('POST /auth/change-password', { currentPassword: current, newPassword: next }, headers)
const login = ({ email }: Pick<TestUser, 'email'>, password = PASSWORD, headers = newAddress()) =>
  server.rest()('POST /auth/login', { email, password }, headers)
const hashOf = async ({ id }: Pick<TestUser, 'id'>) =>
  (await server.sql<{ hash: string }[]>`select password_hash as hash from users where id = ${id}`)[0]?.hash

describe('changing a password', () => {
  it('requires the current one; then only the new one is valid', async () => {
    const member = await server.createMember()
    const wrong = await change(member, { current: 'Zellige-2027' })
    expect(wrong).toMatchObject({
      status: 403,
      body: { code: 'WRONG_CURRENT_PASSWORD', invalid: true, errors: [{ path: 'currentPassword' }] },
    })
    expect((await server.rest(member)('GET /users/profile')).status).toBe(200)
    const changed = await change(member)
    expect(changed).toMatchObject({
      status: 200,
      body: { success: true, message: 'Password changed. Please sign in again.', data: {} },
    })
    expect((await login(member)).body.code).toBe('WRONG_CREDENTIALS')
    expect((await login(member, NEXT)).status).toBe(200)
    expect(await hashOf(member)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('ends every session at once, including this one, with its refresh tokens, over both transports', async () => {
    const member = await server.createMember()
    const elsewhere = (await login(member)).body.data
    expect((await change(member)).status).toBe(200)
    for (const { token, refreshToken } of [member, elsewhere]) {
      expect((await server.rest({ token })('GET /users/profile')).status).toBe(401)
      expect((await server.trpc({ token }, 'users.profile')).status).toBe(401)
      expect((await server.rest()('POST /auth/refresh', { refreshToken })).body.code).toBe('REFRESH_INVALID')
    }
  })

  it('shares the limit of wrong passwords with sign-ins', async () => {
    const member = await server.createMember()
    const place = newAddress()
    const guesses = [
      ...times(6, () => change(member, { current: 'Zellige-2027', headers: place })),
      ...times(6, () => login(member, 'Zellige-2027', place)),
      ...times(6, () => change(member, { current: 'Zellige-2027', headers: place })),
    ]
    const outcome = await countOutcomes(guesses)
    expect((outcome['403 WRONG_CURRENT_PASSWORD'] ?? 0) + (outcome['401 WRONG_CREDENTIALS'] ?? 0)).toBe(10)
    expect(outcome['429 SIGN_IN_LOCKED']).toBe(8)
    // The correct password is not compared either.
    const locked = await change(member, { headers: place })
    expect(locked).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } })
    expect(locked.headers['retry-after']).toBe(String(locked.body.cooldown))
    expect((await change(member)).status).toBe(200)
  })

  it('succeeds once of ten concurrent requests with the same current password', async () => {
    const member = await server.createMember()
    const newPasswords = times(10, (index) => `Tagine-20${30 + index}`)
    const outcomes = await Promise.all(newPasswords.map((next) => change(member, { next })))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of outcomes)
      if (status !== 200) expect(['WRONG_CURRENT_PASSWORD', 'NOT_SIGNED_IN']).toContain(body.code)
    const winner = newPasswords[outcomes.findIndex(({ status }) => status === 200)]
    expect((await login(member, winner)).status).toBe(200)
    expect(
      (await findQueuedTemplates(server, member.email)).filter((template) => template === 'password-changed'),
    ).toHaveLength(1)
  })

  it('notifies the owner in their language, with device, place and time, without secrets', async () => {
    const member = await server.createMember()
    await server.sql`update users set language = 'ar' where id = ${member.id}`
    const agent =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'
    await change(member, { headers: { ...fromAddress('105.158.12.7'), 'user-agent': agent } })
    const mail = await server.waitForMail(member.email)
    expect(mail.subject).toBe('تغيّرت كلمة مرورك')
    expect(mail.text).toContain('Chrome على Android')
    expect(mail.text).toContain('105.158.12.7')
    expect(mail.html).toContain('lang="ar" dir="rtl"')
    expect(`${mail.text}${mail.html}`).not.toMatch(/Tagine|Zellige/)
  })

  it('invalidates codes: a sign-in started with the old password cannot be completed', async () => {
    const member = await server.createMember()
    await server.rest(member)('PUT /users/profile', { signInOtp: true })
    await login(member)
    const code = await server.mailedCode(member.email)
    await change(member)
    const verified = await server.rest()('POST /auth/verify-otp', { email: member.email, otp: code }, newAddress())
    expect(verified.body.code).toBe('CODE_INVALID')
    // The next sign-in gets its own code at once.
    const read = server.caughtMails()
    expect((await login(member, NEXT)).body.data.requiresOTP).toBe(true)
    const next = await server.mailedCode(member.email, read)
    expect(
      (await server.rest()('POST /auth/verify-otp', { email: member.email, otp: next }, newAddress())).status,
    ).toBe(200)
  })

  it.each([
    ['Ab1', 'Password must be at least 6 characters'],
    ['ABCDEF1', 'Password must contain at least one lowercase letter'],
    ['abcdef1', 'Password must contain at least one uppercase letter'],
    ['Abcdefg', 'Password must contain at least one number'],
    [['Tagine-2027'], 'Password must be at least 6 characters'],
  ])('rejects %j: %s', async (newPassword, msg) => {
    const member = await server.createMember()
    const response = await server.rest(member)('POST /auth/change-password', { currentPassword: PASSWORD, newPassword })
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION' } })
    expect(response.body.errors).toContainEqual(
      expect.objectContaining({ path: 'newPassword', msg, code: expect.any(String) }),
    )
    expect((await login(member)).status).toBe(200)
  })

  it('applies the stricter rules to administrators, with the message of the broken rule', async () => {
    const admin = await server.createAdmin()
    for (const [next, msg] of [
      ['Riad-26', 'Password must be at least 8 characters'],
      ['Riaaad-2026', 'Password cannot contain more than 2 consecutive identical characters'],
      ['Admin-at-Riad-26', 'Password contains common weak patterns. Please choose a stronger password.'],
    ] as const) {
      const response = await change(admin, { next })
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'ADMIN_PASSWORD_WEAK', message: msg, errors: [{ path: 'newPassword', msg }] },
      })
      // A member may use it.
      expect((await change(await server.createMember(), { next })).status).toBe(200)
    }
    expect((await change(admin, { next: 'Riad-2026-Fes' })).status).toBe(200)
  })

  it('is rejected for an account without a password (external provider)', async () => {
    const member = await server.createMember()
    await server.sql`update users set password_hash = null where id = ${member.id}`
    expect(await change(member)).toMatchObject({ status: 409, body: { code: 'NO_PASSWORD' } })
    expect(await hashOf(member)).toBeNull()
  })
})

/** Locks a user's row while `during` runs. */
async function withLockedUser(id: string, during: () => Promise<void>): Promise<void> {
  await server.sql.begin(async (tx) => {
    await tx`select id from users where id = ${id} for update`
    await during()
  })
}
const countLockWaits = async () =>
  Number(
    (
      await server.sql`
        select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    )[0]?.count,
  )

it('a concurrent sign-in with the old password fails after the change', async () => {
  const member = await server.createMember()
  let signingIn: ReturnType<typeof login> | undefined
  await withLockedUser(member.id, async () => {
    // The password is compared; the session waits for the account's row.
    signingIn = login(member)
    await expect.poll(countLockWaits, { timeout: 1900, interval: 20 }).toBe(1)
  })
  // Nothing has changed: the sign-in completes.
  expect((await signingIn)?.status).toBe(200)

  let lateSignIn: ReturnType<typeof login> | undefined
  const hash = await server.deps.passwords.hash(NEXT)
  await server.sql.begin(async (tx) => {
    await tx`update users set password_hash = ${hash} where id = ${member.id}`
    lateSignIn = login(member)
    await expect.poll(countLockWaits, { timeout: 1900, interval: 20 }).toBe(1)
  })
  expect((await lateSignIn)?.body.code).toBe('WRONG_CREDENTIALS')
})
