import { uniqueEmail } from '@community/testing'
import { createHash } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { startIdentityProvider } from '../src/embedded/identity-provider.ts'
import { createIdentityProvider } from '../src/integrations/identity-provider.ts'
import type { Mail } from '../src/integrations/mailer.ts'
import { createLog } from '../src/observability/log.ts'
import { openBrowser } from './browser.ts'
import { openTestServer } from './test-server.ts'

const APP_URL = 'http://localhost:3000'
const PASSWORD = 'Sentinel-Passw0rd'
const NEXT_PASSWORD = 'Sentinel-N3xt-Word'

let log = ''
const sent: Mail[] = []
const embedded = await startIdentityProvider({ appUrl: APP_URL })
const logger = createLog('trace', { write: (line) => void (log += line) })
// The mail server is unavailable, so mails stay queued in the database.
const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
const server = await openTestServer(
  { APP_URL },
  {
    log: logger,
    identityProvider: createIdentityProvider(embedded.oauth, APP_URL),
    mailer: {
      send: (mail) => {
        sent.push(mail)
        return away()
      },
      check: away,
      close: () => {},
    },
  },
)
const { app } = server
server.app = await buildApp(server.deps, { logger })
await app.close()
afterAll(async () => {
  await server.app.close()
  await server.close()
  await embedded.close()
})

const post = async (url: string, payload: object, headers: Record<string, string> = {}) =>
  (await server.app.inject({ method: 'POST', url, payload, headers })).json().data
const codeFor = (email: string) =>
  expect
    .poll(() => /\b\d{6}\b/.exec(sent.find(({ to }) => to === email)?.subject ?? '')?.[0])
    .toBeDefined()
    .then(() => /\b\d{6}\b/.exec(sent.find(({ to }) => to === email)?.subject ?? '')?.[0] ?? '')

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await server.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  const rows = await Promise.all(
    tables.map(({ name }) => server.sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${server.sql(name)} t`),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

it('stores and logs no password, code or token in plain text', async () => {
  const key = { 'idempotency-key': 'sentinel-key' }
  // A pending registration, and a completed one with an Idempotency-Key, whose response is stored.
  const [waiting, joined, external] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
  for (const email of [waiting, joined])
    await post('/api/auth/register', { name: 'Nour', email, password: PASSWORD, confirmPassword: PASSWORD })
  const codes = [await codeFor(waiting), await codeFor(joined)]
  const pair = await post(
    '/api/auth/verify-registration-otp',
    { name: 'Nour', email: joined, password: PASSWORD, otp: codes[1] },
    key,
  )
  // A sign-in, a refresh, a sign-in with a pending code, an external sign-in.
  const second = await post('/api/auth/login', { email: joined, password: PASSWORD })
  const third = await post('/trpc/auth.refresh', { refreshToken: second.refreshToken }).then(() =>
    post('/api/auth/refresh', { refreshToken: second.refreshToken }),
  )
  const headers = { authorization: `Bearer ${third.token}` }
  await server.app.inject({ method: 'PUT', url: '/api/users/profile', headers, payload: { signInOtp: true } })
  sent.length = 0
  expect(await post('/api/auth/login', { email: joined, password: PASSWORD })).toMatchObject({ requiresOTP: true })
  codes.push(await codeFor(joined))
  // A password reset, and a password change.
  sent.length = 0
  expect(await post('/api/auth/forgot-password', { email: joined })).toMatchObject({ expirationMinutes: 5 })
  codes.push(await codeFor(joined))
  const change = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
  await server.app.inject({ method: 'POST', url: '/api/auth/change-password', headers, payload: change })
  expect(await post('/api/auth/login', { email: joined, password: NEXT_PASSWORD })).toMatchObject({ requiresOTP: true })
  const browser = openBrowser(server)
  const back = await browser.signInAt(await browser.beginSignIn(), { email: external })
  expect(await browser.follow(back)).toContain('/auth/google-otp?')
  codes.push(await codeFor(external))

  const words = [
    PASSWORD,
    NEXT_PASSWORD,
    ...[pair, second, third].flatMap(({ token, refreshToken }) => [token, refreshToken]),
    ...browser.cookies.values(),
    back.searchParams.get('code') ?? '',
    back.searchParams.get('state') ?? '',
  ]
  expect(words.every((word) => word.length > 12)).toBe(true)
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
  const stored = await dump()
  expect(stored).toContain(joined)
  expect(log).toContain('/api/auth/verify-registration-otp')
  for (const [place, text] of [
    ['database', stored],
    ['log', log],
  ] as const) {
    for (const word of words) expect([place, text.includes(word)]).toEqual([place, false])
    for (const code of codes) {
      // As a whole word: six digits occur in hashes and times by chance.
      expect([place, new RegExp(`(?<![\\w.-])${code}(?![\\w-])`).exec(text)]).toEqual([place, null])
      // An unkeyed hash of six digits is cracked in a second.
      expect(text).not.toContain(createHash('sha256').update(code).digest('hex'))
    }
  }
  // The log contains no email address either.
  for (const email of [waiting, joined, external]) expect(log).not.toContain(email)
})
