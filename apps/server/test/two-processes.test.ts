import { limits } from '@community/contract'
import { prepareAll } from '@community/db'
import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { afterAll, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { IP_FAILURES } from '../src/auth/limit-attempts.ts'
import { TRUST_FORWARDED_FOR, newAddress, findQueuedTemplates, countOutcomes, times } from './accounts.ts'
import { openTestServerOn } from './test-server.ts'

/** Two servers on one database, which must share their counters. */
const database = await createTestDatabase()
const server = await openTestServerOn(database, TRUST_FORWARDED_FOR)
const pool = database.connect()
await prepareAll()
const apps = [server.app, await buildApp({ ...server.deps, db: pool.db })]
afterAll(async () => {
  await apps[1]?.close()
  await pool.close()
  await server.close()
})

/** Sends concurrent requests, alternating between the servers. */
const sendToBoth = (
  count: number,
  url: string,
  payloadOf: (index: number) => object,
  headers?: Record<string, string>,
) =>
  countOutcomes(
    times(count, async (index) => {
      const app = apps[index % 2]
      if (!app) throw new Error('there are two servers')
      const payload = payloadOf(index)
      const response = await app.inject({
        method: 'POST',
        url: `/api${url}`,
        payload,
        headers: headers ?? newAddress(),
      })
      return { status: response.statusCode, body: response.json<{ code?: string }>() }
    }),
  )

it('allows exactly ten wrong passwords per IP address and thirty per account', async () => {
  const { email } = await server.createMember()
  const guess = () => ({ email, password: 'Zellige-2027' })
  const here = await sendToBoth(40, '/auth/login', guess, newAddress())
  expect(here).toEqual({ '401 WRONG_CREDENTIALS': limits.SIGN_IN_ATTEMPTS_MAX, '429 SIGN_IN_LOCKED': 30 })
  const everywhere = await sendToBoth(40, '/auth/login', guess)
  expect(everywhere).toEqual({ '401 WRONG_CREDENTIALS': 2 * limits.SIGN_IN_ATTEMPTS_MAX, '429 SIGN_IN_LOCKED': 20 })
})

it('allows exactly three hundred guesses per IP address', async () => {
  const here = newAddress()
  const guess = () => ({ email: uniqueEmail(), otp: '000000' })
  expect(await sendToBoth(IP_FAILURES.max + 60, '/auth/verify-otp', guess, here)).toEqual({
    '400 CODE_INVALID': IP_FAILURES.max,
    '429 TOO_MANY_REQUESTS': 60,
  })
  const password = () => ({ email: uniqueEmail(), password: 'Zellige-2027' })
  expect(await sendToBoth(2, '/auth/login', password, here)).toEqual({ '429 TOO_MANY_REQUESTS': 2 })
})

it('accepts all correct passwords, of one account and of many behind one IP address', async () => {
  const { email } = await server.createMember()
  const address = newAddress()
  expect(await sendToBoth(30, '/auth/login', () => ({ email, password: PASSWORD }), address)).toEqual({ 200: 30 })
  const crowd = await Promise.all(times(30, () => server.createMember()))
  const right = (index: number) => ({ email: crowd[index]?.email, password: PASSWORD })
  expect(await sendToBoth(30, '/auth/login', right, address)).toEqual({ 200: 30 })
})

it('mails a code once, allows five guesses and one use', async () => {
  const { email } = await server.createMember()
  const responses = await sendToBoth(30, '/auth/forgot-password', () => ({ email }))
  expect(responses).toEqual({ 200: 1, '429 CODE_TOO_SOON': 29 })
  expect(await findQueuedTemplates(server, email)).toEqual(['code-reset'])
  const code = await server.mailedCode(email)
  const fresh = { email, password: 'Tagine-2027', confirmPassword: 'Tagine-2027' }
  expect(await sendToBoth(20, '/auth/reset-password', () => ({ ...fresh, otp: code }))).toEqual({
    200: 1,
    '400 CODE_INVALID': 19,
  })
  const other = await server.createMember()
  await sendToBoth(1, '/auth/forgot-password', () => ({ email: other.email }))
  const otp = wrongCode(await server.mailedCode(other.email))
  await sendToBoth(40, '/auth/reset-password', () => ({ ...fresh, email: other.email, otp }))
  const [row] = await server.sql`select tries from codes where email = ${other.email}`
  const [failures] = await server.sql`select count from rate_limits where key = ${`code-failures:reset:${other.email}`}`
  expect([row?.tries, failures?.count]).toEqual([5, 5])
})

it('gives a client that sends its reset id five attempts of its own', async () => {
  const { email } = await server.createMember()
  const started = await server.rest()('POST /auth/forgot-password', { email }, newAddress())
  const { resetId } = started.body.data
  const code = await server.mailedCode(email)
  const fresh = { email, password: 'Tagine-2027', confirmPassword: 'Tagine-2027' }
  await sendToBoth(40, '/auth/reset-password', () => ({ ...fresh, otp: wrongCode(code) }))
  const outcome = await sendToBoth(40, '/auth/reset-password', () => ({ ...fresh, otp: wrongCode(code), resetId }))
  expect(outcome).toEqual({ '400 CODE_INVALID': 40 })
  const counts = await server.sql`
    select count from rate_limits where key like ${`code-failures:reset:${email}%`} order by key`
  // Without an id, with any id, and with an id from one IP address.
  expect(counts.map(({ count }) => count)).toEqual([5, 5, 5])
})

it('serves committed changes from both servers over both transports immediately', async () => {
  const read = (url: string, headers: Record<string, string> = {}) =>
    Promise.all(apps.map(async (app) => (await app.inject({ url, headers })).body))
  const urls = ['/api/teams?limit=100', `/trpc/teams.list?input=${encodeURIComponent('{"limit":100}')}`]
  for (const round of times(5, (index) => index)) {
    await Promise.all(urls.map((url) => read(url)))
    const chef = await server.createMember()
    await server.createTeam(chef, { name: `Weavers ${round}`, description: 'We weave by the river' })
    for (const url of urls) {
      for (const body of await read(url)) expect(body).toContain(`"Weavers ${round}"`)
      // Responses for signed-in users must not be cached for visitors.
      for (const body of await read(url, { authorization: `Bearer ${chef.token}` })) expect(body).toContain('river')
      for (const body of await read(url)) expect(body).not.toContain('river')
    }
  }
})
