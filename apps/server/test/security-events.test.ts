import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../src/observability/log.ts'
import { SECURITY_EVENTS } from '../src/observability/security-events.ts'
import { TRUST_FORWARDED_FOR, fromAddress, findQueuedTemplates, times } from './accounts.ts'
import { openTestServer, type TestUser } from './test-server.ts'

const HEADERS = { ...fromAddress('105.158.12.7') }
let text = ''
const log = createLog('info', { write: (logLine) => void (text += logLine) })
const server = await openTestServer(TRUST_FORWARDED_FOR, { log })
beforeEach(() => {
  text = ''
})
afterAll(() => server.close())

interface LogLine {
  event: string
  level: number
  userId?: string
  reqId: string
  address: string
}
const events = (): LogLine[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((logLine) => JSON.parse(logLine) as LogLine)
    .filter(({ event }) => event)
const INFO = 30
const WARN = 40
/** The expected log line for a request with `HEADERS`. */
const logLine = (event: string, level: number, more: object = {}) => ({
  event,
  level,
  time: expect.any(Number),
  pid: expect.any(Number),
  hostname: expect.any(String),
  address: '105.158.12.7',
  reqId: expect.stringMatching(/^[\w-]{36}$/),
  msg: 'security event',
  ...more,
})
const post = (path: string, body: object, user: TestUser | null = null) =>
  server.rest(user)(`POST ${path}`, body, HEADERS)
const login = (email: string, password = PASSWORD) => post('/auth/login', { email, password })

it('security events are listed once each in docs/monitoring.md', async () => {
  const guide = await readFile(new URL('../../../docs/monitoring.md', import.meta.url), 'utf8')
  const listed = [...guide.matchAll(/^\| `((?:auth|admin|access)\.\w+)` \|/gm)].map(([, name = '']) => name)
  expect(listed.toSorted()).toEqual(Object.keys(SECURITY_EVENTS).toSorted())
})

describe('the security log records', () => {
  it('sign-ins of members and administrators, and failed ones without the address tried', async () => {
    const [member, admin] = [await server.createMember(), await server.createAdmin()]
    const response = await login(member.email)
    await login(admin.email)
    await login(member.email, 'Wrong-2026')
    const unknown = uniqueEmail()
    await login(unknown)
    const failed = { code: 'WRONG_CREDENTIALS', procedure: 'auth.login' }
    expect(events()).toEqual([
      logLine('auth.signed_in', INFO, { userId: member.id, reqId: response.headers['x-request-id'] }),
      logLine('auth.admin_signed_in', INFO, { userId: admin.id }),
      logLine('auth.sign_in_failed', WARN, { userId: member.id, ...failed }),
      logLine('auth.sign_in_failed', WARN, failed),
    ])
    for (const secret of [unknown, member.email, PASSWORD, 'Wrong-2026', response.body.data.refreshToken])
      expect(text).not.toContain(secret)
  })

  it('a failed sign-in without the caller’s user id when it concerns another account', async () => {
    await post('/auth/login', { email: uniqueEmail(), password: PASSWORD }, await server.createMember())
    expect(events()).toMatchObject([{ event: 'auth.sign_in_failed' }])
    expect(events()[0]?.userId).toBeUndefined()
  })

  it('lockouts', async () => {
    const member = await server.createMember()
    for (const _ of times(10, () => 0)) await login(member.email, 'Wrong-2026')
    text = ''
    await login(member.email)
    expect(events()).toEqual([
      logLine('auth.locked', WARN, { userId: member.id, code: 'SIGN_IN_LOCKED', procedure: 'auth.login' }),
    ])
  })

  it('an IP address with too many attempts', async () => {
    await server.sql`insert into rate_limits (key, count, resets_at) values ('attempts:10.9.8.7', 1000000, now() + interval '1 hour')`
    await server.rest()('POST /auth/login', { email: uniqueEmail(), password: PASSWORD }, fromAddress('10.9.8.7'))
    expect(events()).toMatchObject([{ event: 'auth.rate_limited', level: WARN, address: '10.9.8.7' }])
  })

  it('wrong codes', async () => {
    const member = await server.createMember()
    await server.rest(member)('PUT /users/profile', { signInOtp: true })
    await login(member.email)
    const otp = wrongCode(await server.mailedCode(member.email))
    text = ''
    await post('/auth/verify-otp', { email: member.email, otp })
    const failed = { code: 'CODE_INVALID', procedure: 'auth.verifyOtp' }
    expect(events()).toEqual([logLine('auth.code_failed', WARN, { userId: member.id, ...failed })])
    // As a whole word: six digits occur in times and ids by chance.
    expect(text).not.toMatch(new RegExp(`(?<![\\w.-])${otp}(?![\\w-])`))
  })

  it('password changes and resets, wrong confirmations, a disabled sign-in code and deleted accounts', async () => {
    const member = await server.createMember()
    const [email, next] = [member.email, 'Tagine-2027']
    const own = { userId: member.id }
    await post('/auth/change-password', { currentPassword: 'Wrong-2026', newPassword: next }, member)
    await post('/auth/change-password', { currentPassword: PASSWORD, newPassword: next }, member)
    await post('/auth/forgot-password', { email })
    const read = server.caughtMails().filter(({ subject }) => !/\d{6}/.test(subject))
    const otp = await server.mailedCode(email, read)
    await post('/auth/reset-password', { email, otp, password: PASSWORD, confirmPassword: PASSWORD })
    const again = (await login(email)).body.data
    const save = (body: object) => server.rest(again)('PUT /users/profile', body, HEADERS)
    await save({ signInOtp: true })
    await save({ signInOtp: false, currentPassword: PASSWORD })
    await save({ signInOtp: false })
    await server.rest(again)(`DELETE /users/${member.id}`, { password: 'Wrong-2026' }, HEADERS)
    await server.rest(again)(`DELETE /users/${member.id}`, { password: PASSWORD }, HEADERS)
    const failed = (code: string, procedure: string) =>
      logLine('auth.password_confirmation_failed', WARN, { ...own, code, procedure })
    expect(events()).toEqual([
      failed('WRONG_CURRENT_PASSWORD', 'auth.changePassword'),
      logLine('auth.password_changed', INFO, own),
      logLine('auth.password_reset', INFO, own),
      logLine('auth.signed_in', INFO, own),
      logLine('auth.sign_in_code_disabled', WARN, own),
      failed('WRONG_PASSWORD', 'users.remove'),
      logLine('auth.account_deleted', INFO, own),
    ])
  })

  it('wrong administrator passwords, the lockout, and denied access', async () => {
    const [admin, member] = [await server.createAdmin(), await server.createMember()]
    const confirm = (user: TestUser, password: string) => post('/admin/verify-password', { password }, user)
    for (const _ of times(5, () => 0)) await confirm(admin, 'Wrong-2026')
    expect(events()).toHaveLength(5)
    const own = { userId: admin.id, procedure: 'admin.verifyPassword' }
    expect(events()[0]).toEqual(logLine('admin.password_confirmation_failed', WARN, { ...own, code: 'WRONG_PASSWORD' }))
    text = ''
    await confirm(admin, PASSWORD)
    await confirm(member, PASSWORD)
    expect(events()).toEqual([
      logLine('admin.password_confirmation_locked', WARN, { ...own, code: 'ADMIN_PASSWORD_LOCKED' }),
      logLine('access.denied', WARN, { ...own, userId: member.id, code: 'ADMINS_ONLY' }),
    ])
  })

  it('a rejected callback without the provider’s values', async () => {
    const identityProvider = {
      check: () => Promise.resolve(),
      begin: () => Promise.reject(new Error('not asked')),
      finish: () => Promise.reject(new Error('not asked')),
    }
    const external = await openTestServer(TRUST_FORWARDED_FOR, { log, identityProvider })
    await external.app.inject({
      url: '/auth/google/callback?code=sentinel-code&state=sentinel-state',
      headers: HEADERS,
    })
    await external.close()
    expect(events()).toMatchObject([{ event: 'auth.external_sign_in_failed', level: WARN, address: '105.158.12.7' }])
    expect(text).not.toContain('sentinel')
  })
})

describe('a reused refresh token', () => {
  const PHONE =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'
  const refresh = (refreshToken: string) => post('/auth/refresh', { refreshToken })

  it.each([
    ['en', 'We signed out one of your devices', 'Chrome on Android'],
    ['fr', 'Nous avons déconnecté l’un de vos appareils', 'Chrome sur Android'],
    ['ar', 'سجّلنا خروج أحد أجهزتك', 'Chrome على Android'],
  ])(
    'mails the owner in their language (%s) once, names the device and is logged once',
    async (language, subject, device) => {
      const member = await server.createMember()
      await server.sql`update users set language = ${language} where id = ${member.id}`
      const headers = { 'user-agent': PHONE }
      const { body } = await server.rest()('POST /auth/login', { email: member.email, password: PASSWORD }, headers)
      const first: TestUser = body.data
      const next = (await refresh(first.refreshToken)).body.data.refreshToken
      await server.clock.ageSpentTokens()
      text = ''
      const reuses = await Promise.all(times(10, () => refresh(first.refreshToken)))
      for (const { status } of [...reuses, await refresh(next), await refresh(first.refreshToken)])
        expect(status).toBe(401)
      expect(
        (await findQueuedTemplates(server, member.email)).filter((name) => name === 'device-signed-out'),
      ).toHaveLength(1)
      expect(events()).toEqual([
        logLine('auth.refresh_token_reused', WARN, {
          userId: member.id,
          signInId: expect.stringMatching(/^[\w-]{36}$/),
        }),
      ])
      for (const secret of [first.refreshToken, next]) expect(text).not.toContain(secret)
      await expect
        .poll(() => server.caughtMails().map((mail) => mail.to.includes(member.email) && mail.subject))
        .toContain(subject)
      const mail = server
        .caughtMails()
        .find((candidate) => candidate.to.includes(member.email) && candidate.subject === subject)
      expect(mail?.text).toContain(device)
      expect(mail?.text).toContain('105.158.12.7')
    },
  )

  it('sends no mail after a sign-out or to two tabs', async () => {
    const member = await server.createMember()
    await refresh(member.refreshToken)
    expect((await refresh(member.refreshToken)).status).toBe(200)
    await post('/auth/logout', { refreshToken: member.refreshToken })
    await server.clock.ageSpentTokens()
    expect((await refresh(member.refreshToken)).status).toBe(401)
    expect(await findQueuedTemplates(server, member.email)).toEqual([])
    expect(events()).toEqual([])
  })
})
