import { limits, type ProofOfWorkChallenge, type ProofPurpose } from '@community/contract'
import { prepareAll } from '@community/db'
import { PASSWORD, uniqueEmail } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, countOutcomes, times } from '../../test/accounts.ts'
import { proofOfWorkHeader, solveProofOfWork } from '../../test/proof-of-work.ts'
import { maskRequestId } from '../../test/request-id.ts'
import { openTestServerOn } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'
import { createProofChallenge } from './proof-of-work.ts'

const HOURLY_PER_IP = 3
const HOURLY_TOTAL = 8

/** Two processes on one database. */
const database = await createTestDatabase()
const server = await openTestServerOn(database, {
  ...TRUST_FORWARDED_FOR,
  PROOF_OF_WORK: 'auto',
  PROOF_OF_WORK_HOURLY_PER_IP: String(HOURLY_PER_IP),
  PROOF_OF_WORK_HOURLY_TOTAL: String(HOURLY_TOTAL),
})
const pool = database.connect()
await prepareAll()
const apps = [server.app, await buildApp({ ...server.deps, db: pool.db })] as const
afterAll(async () => {
  await apps[1].close()
  await pool.close()
  await server.close()
})
beforeEach(() => server.sql`delete from rate_limits`)
afterEach(() => vi.useRealTimers())

const ONE_ADDRESS = fromAddress('10.40.0.1')
const otherAddress = (index: number) => fromAddress(`10.41.0.${index}`)
const REGISTRATION = { name: 'Nour Benali', password: PASSWORD, confirmPassword: PASSWORD }
const PROOF_REQUIRED = { status: 428, body: { code: 'PROOF_OF_WORK_REQUIRED' } }

const CALLS = [
  ['/auth/register', 'registration', REGISTRATION],
  ['/auth/resend-registration-otp', 'registration', { name: REGISTRATION.name }],
  ['/auth/forgot-password', 'reset', {}],
  ['/auth/send-otp', 'sign-in', {}],
  ['/auth/resend-otp', 'sign-in', {}],
] as const

type Headers = Record<string, string>
const register = (headers: Headers) =>
  server.rest()('POST /auth/register', { ...REGISTRATION, email: uniqueEmail() }, headers)
const reset = (headers: Headers, email = uniqueEmail()) =>
  server.rest()('POST /auth/forgot-password', { email }, headers)

async function exhaustLimit(headers: Headers): Promise<void> {
  for (const email of times(HOURLY_PER_IP, uniqueEmail)) expect((await reset(headers, email)).status).toBe(200)
}
async function proofFor(purpose: ProofPurpose): Promise<Headers> {
  const { body } = await server.rest()(`GET /auth/proof-of-work?purpose=${purpose}`)
  return { 'x-proof-of-work': proofOfWorkHeader(await solveProofOfWork(body.data.challenge as ProofOfWorkChallenge)) }
}

describe('procedures that mail unverified addresses require a proof of work', () => {
  it.each(CALLS)('%s: above the limit per IP address, over both transports', async (path, purpose, fields) => {
    await exhaustLimit(ONE_ADDRESS)
    const payload = { ...fields, email: uniqueEmail() }
    const rejected = await server.rest()(`POST ${path}`, payload, ONE_ADDRESS)
    expect(rejected).toMatchObject({ status: 428, body: { code: 'PROOF_OF_WORK_REQUIRED', proofOfWork: purpose } })
    const procedure = path.replace('/auth/', 'auth.').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const overTrpc = await server.app.inject({
      method: 'POST',
      url: `/trpc/${procedure}`,
      payload,
      headers: ONE_ADDRESS,
    })
    expect(overTrpc.statusCode).toBe(428)
    expect(overTrpc.json<{ error: { data: { failure: object } } }>().error.data.failure).toEqual({
      ...rejected.body,
      requestId: overTrpc.headers['x-request-id'],
    })
    expect((await server.rest()(`POST ${path}`, { ...payload, email: uniqueEmail() }, otherAddress(1))).status).toBe(
      200,
    )

    const proven = { ...ONE_ADDRESS, ...(await proofFor(purpose)) }
    expect((await server.rest()(`POST ${path}`, { ...payload, email: uniqueEmail() }, proven)).status).toBe(200)
  })

  it('counting all procedures together, but no invalid input', async () => {
    for (const email of ['', 'x', 'a@']) expect((await reset(ONE_ADDRESS, email)).status).toBe(400)
    expect((await register(ONE_ADDRESS)).status).toBe(200)
    expect((await server.rest()('POST /auth/send-otp', { email: uniqueEmail() }, ONE_ADDRESS)).status).toBe(200)
    expect((await reset(ONE_ADDRESS)).status).toBe(200)
    expect(await register(ONE_ADDRESS)).toMatchObject(PROOF_REQUIRED)
  })

  it('only until the hour is over', async () => {
    await exhaustLimit(ONE_ADDRESS)
    expect(await reset(ONE_ADDRESS)).toMatchObject(PROOF_REQUIRED)
    await server.clock.resetLimits()
    expect((await reset(ONE_ADDRESS)).status).toBe(200)
  })

  it('without counting requests above one address’s limit towards the total', async () => {
    await exhaustLimit(ONE_ADDRESS)
    for (const email of times(HOURLY_TOTAL, uniqueEmail))
      expect(await reset(ONE_ADDRESS, email)).toMatchObject(PROOF_REQUIRED)
    expect((await reset(otherAddress(1))).status).toBe(200)
  })

  it('above the limit per /64 for IPv6', async () => {
    await exhaustLimit(fromAddress('2001:db8:1:2::1'))
    expect(await reset(fromAddress('2001:db8:1:2::2'))).toMatchObject(PROOF_REQUIRED)
    expect((await reset(fromAddress('2001:db8:1:3::1'))).status).toBe(200)
  })

  it('above exactly the total limit, over two processes', async () => {
    const requests = times(60, async (index) => {
      const headers = otherAddress(index)
      const url = '/api/auth/forgot-password'
      const app = apps[index % 2 === 0 ? 0 : 1]
      const response = await app.inject({ method: 'POST', url, headers, payload: { email: uniqueEmail() } })
      return { status: response.statusCode, body: response.json<{ code?: string }>() }
    })
    expect(await countOutcomes(requests)).toEqual({
      200: HOURLY_TOTAL,
      '428 PROOF_OF_WORK_REQUIRED': 60 - HOURLY_TOTAL,
    })
  })
})

describe('a proof', () => {
  it('is valid once for concurrent requests to several processes', async () => {
    await exhaustLimit(ONE_ADDRESS)
    const headers = { ...ONE_ADDRESS, ...(await proofFor('reset')) }
    const requests = times(20, async (index) => {
      const app = apps[index % 2 === 0 ? 0 : 1]
      const url = '/api/auth/forgot-password'
      const response = await app.inject({ method: 'POST', url, headers, payload: { email: uniqueEmail() } })
      return { status: response.statusCode, body: response.json<{ code?: string }>() }
    })
    expect(await countOutcomes(requests)).toEqual({ 200: 1, '428 PROOF_OF_WORK_INVALID': 19 })
    expect(await reset({ ...headers, ...otherAddress(1) })).toMatchObject({ status: 200 })
  })

  it('is not consumed if none is required', async () => {
    const proof = await proofFor('reset')
    expect((await reset({ ...otherAddress(1), ...proof })).status).toBe(200)
    await exhaustLimit(ONE_ADDRESS)
    expect((await reset({ ...ONE_ADDRESS, ...proof })).status).toBe(200)
  })

  it('is rejected for another purpose, with a forged signature, expired, or malformed', async () => {
    await exhaustLimit(ONE_ADDRESS)
    const { parameters, signature } = await createProofChallenge(server.deps.secret, 'reset')
    const { solution } = await solveProofOfWork({ parameters, signature })
    const forged = { challenge: { parameters, signature: signature.replaceAll(/[0-7]/g, '8') }, solution }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (limits.PROOF_OF_WORK_TTL + 2) * 1000 })
    const old = await createProofChallenge(server.deps.secret, 'reset')
    vi.useRealTimers()
    const proofs = [
      await proofFor('registration'),
      ...[forged, await solveProofOfWork(old), {}].map((proof) => ({ 'x-proof-of-work': proofOfWorkHeader(proof) })),
    ]
    for (const proof of proofs)
      expect(await reset({ ...ONE_ADDRESS, ...proof })).toMatchObject({
        status: 428,
        body: { code: 'PROOF_OF_WORK_INVALID', proofOfWork: 'reset' },
      })
  })
})

it('reveals nothing about accounts: rejects before reading any', async () => {
  const member = await server.createMember()
  const banned = await server.createMember()
  await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${banned.id}`
  await exhaustLimit(ONE_ADDRESS)
  const statements: string[] = []
  Object.assign(pool.sql.options, { debug: (_connection: number, text: string) => void statements.push(text) })
  const responses: string[] = []
  for (const [path, , fields] of CALLS)
    for (const email of [member.email, banned.email, uniqueEmail()]) {
      const payload = { ...fields, email }
      const response = await apps[1].inject({ method: 'POST', url: `/api${path}`, headers: ONE_ADDRESS, payload })
      const { 'x-request-id': _id, date: _date, ...headers } = response.headers
      const body = maskRequestId(response.body, response.headers)
      responses.push(`${path} ${response.statusCode} ${body} ${JSON.stringify(headers)}`)
    }
  Object.assign(pool.sql.options, { debug: false })
  expect(new Set(responses).size).toBe(CALLS.length)
  expect(statements.length).toBe(3 * CALLS.length)
  expect(statements.filter((text) => !text.includes('insert into rate_limits'))).toEqual([])
})

it.each([
  ['off', [200, 200, 200, 200]],
  ['always', [428, 428, 428, 428]],
] as const)('PROOF_OF_WORK=%s answers requests with %j', async (mode, statuses) => {
  const { config } = server.deps
  const app = await buildApp({ ...server.deps, config: { ...config, proofOfWork: { ...config.proofOfWork, mode } } })
  const responses = []
  for (const email of times(statuses.length, uniqueEmail)) {
    const payload = { email }
    responses.push(
      (await app.inject({ method: 'POST', url: '/api/auth/forgot-password', headers: ONE_ADDRESS, payload }))
        .statusCode,
    )
  }
  await app.close()
  expect(responses).toEqual(statuses)
})
