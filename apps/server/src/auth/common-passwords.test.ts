import { brotliDecompressSync } from 'node:zlib'
import { Password } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, createRegistrant, fromAddress, findQueuedTemplates } from '../../test/accounts.ts'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { COMMON_PASSWORDS } from './common-passwords.gen.ts'
import { PUBLISHED_PASSWORDS } from '../start/published-values.ts'
import { isCommonPassword } from './common-passwords.ts'

const listedPasswords = brotliDecompressSync(Buffer.from(COMMON_PASSWORDS, 'base64')).toString().split('\n')

describe('the list of common passwords', () => {
  it('has more than ten thousand that meet the password rules once capitalized', () => {
    expect(new Set(listedPasswords).size).toBe(listedPasswords.length)
    expect(listedPasswords.filter((password) => password !== password.toLowerCase())).toEqual([])
    const withCapital = listedPasswords.map((password) => password.replace(/[a-z]/, (letter) => letter.toUpperCase()))
    expect(withCapital.filter((password) => Password.safeParse(password).success).length).toBeGreaterThan(10_000)
  })

  it.each([
    'Password1',
    'Passw0rd',
    'P@ssw0rd',
    'Qwerty123',
    'Azerty123',
    'Welcome1',
    'Abc123',
    'Aa123456',
    'Trustno1',
    ...PUBLISHED_PASSWORDS,
  ])('contains %s, ignoring case', (password) => {
    const upperCased = password.toUpperCase()
    for (const typed of [
      password,
      upperCased,
      password.toLowerCase(),
      `${upperCased.slice(0, -2)}${password.slice(-2)}`,
    ])
      expect([typed, isCommonPassword(typed)]).toEqual([typed, true])
  })

  it.each([
    'Zellige-2027',
    'Password1 ',
    ' Password1',
    'Passwórd1',
    'Tagine-au-citron-9',
    '',
    'constructor',
    '__proto__',
  ])('does not contain %j', (password) => expect(isCommonPassword(password)).toBe(false))
})

const EVERYDAY = 'Qwerty123'

describe('a common password, without PASSWORD_BLOCKLIST', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(TRUST_FORWARDED_FOR)
  })
  afterAll(() => server.close())

  it('is accepted on registration, change and reset', async () => {
    const registrant = { ...createRegistrant(), password: EVERYDAY }
    const rest = server.rest()
    expect(await rest('POST /auth/register', { ...registrant, confirmPassword: EVERYDAY })).toMatchObject({
      status: 200,
    })
    const otp = await server.mailedCode(registrant.email)
    expect(await rest('POST /auth/verify-registration-otp', { ...registrant, otp })).toMatchObject({ status: 201 })

    const member = await server.createMember()
    const change = { currentPassword: PASSWORD, newPassword: EVERYDAY }
    expect(await server.rest(member)('POST /auth/change-password', change)).toMatchObject({ status: 200 })
    await rest('POST /auth/forgot-password', { email: member.email })
    const reset = { email: member.email, password: 'Welcome1', confirmPassword: 'Welcome1' }
    const code = await server.mailedCode(member.email)
    expect(await rest('POST /auth/reset-password', { ...reset, otp: code })).toMatchObject({ status: 200 })
  })
})

describe('a common password, with PASSWORD_BLOCKLIST', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ ...TRUST_FORWARDED_FOR, PASSWORD_BLOCKLIST: '1' })
  })
  afterAll(() => server.close())

  const rejected = (path: string) => ({
    status: 400,
    body: {
      code: 'PASSWORD_TOO_COMMON',
      errors: [{ path, msg: 'This password is too common. Please choose another.' }],
    },
  })

  it('is rejected on registration, before anything is mailed or counted', async () => {
    const registrant = { ...createRegistrant(), password: 'Qwerty123' }
    const response = await server.rest()(
      'POST /auth/register',
      { ...registrant, confirmPassword: registrant.password },
      fromAddress('10.1.1.1'),
    )
    expect(response).toMatchObject(rejected('password'))
    const verified = await server.rest()(
      'POST /auth/verify-registration-otp',
      { ...registrant, otp: '000000' },
      fromAddress('10.1.1.1'),
    )
    expect(verified).toMatchObject(rejected('password'))
    expect(await findQueuedTemplates(server, registrant.email)).toEqual([])
    expect(await server.sql`select key from rate_limits where key like '%10.1.1.1%'`).toEqual([])
  })

  it('is rejected on a change, before the current password is compared', async () => {
    const member = await server.createMember()
    const change = { currentPassword: 'Wrong-2026', newPassword: 'Qwerty123' }
    expect(await server.rest(member)('POST /auth/change-password', change)).toMatchObject(rejected('newPassword'))
    const wrong = await server.sql`select key from rate_limits where key like 'sign-in:%' or key like 'wrong:%'`
    expect(wrong).toEqual([])
    expect(await server.trpc(member, 'auth.changePassword', change)).toMatchObject({
      status: 400,
      failure: { code: 'PASSWORD_TOO_COMMON', errors: [{ path: 'newPassword' }] },
    })
  })

  it('is rejected on a reset with a correct code; the code stays valid', async () => {
    const { email } = await server.createMember()
    await server.rest()('POST /auth/forgot-password', { email })
    const otp = await server.mailedCode(email)
    const reset = (password: string, code = otp) =>
      server.rest()('POST /auth/reset-password', { email, otp: code, password, confirmPassword: password })
    expect(await reset(EVERYDAY, otp === '000000' ? '000001' : '000000')).toMatchObject({ body: { invalid: true } })
    for (let time = 0; time < 6; time++) expect(await reset(EVERYDAY)).toMatchObject(rejected('password'))
    expect(await reset('Tagine-au-citron-9')).toMatchObject({ status: 200 })
  })

  it('is rejected for an administrator with the message of the stricter rule it breaks', async () => {
    const admin = await server.createAdmin()
    const weak = (path: string) => ({ status: 400, body: { code: 'ADMIN_PASSWORD_WEAK', errors: [{ path }] } })
    const change = (newPassword: string) =>
      server.rest(admin)('POST /auth/change-password', { currentPassword: PASSWORD, newPassword })
    expect(await change(EVERYDAY)).toMatchObject(weak('newPassword'))
    expect(await change('Welcome1')).toMatchObject(rejected('newPassword'))

    await server.rest()('POST /auth/forgot-password', { email: admin.email })
    const otp = await server.mailedCode(admin.email)
    const reset = (password: string) =>
      server.rest()('POST /auth/reset-password', { email: admin.email, otp, password, confirmPassword: password })
    expect(await reset(EVERYDAY)).toMatchObject(weak('password'))
    expect(await reset('Welcome1')).toMatchObject(rejected('password'))
  })
})
