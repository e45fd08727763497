import { prepareAll } from '@community/db'
import { PASSWORD, uniqueEmail } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, findQueuedTemplates, maskSealedIds } from '../../test/accounts.ts'
import { maskRequestId } from '../../test/request-id.ts'
import { openTestServerOn } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'
import type { Deps } from '../context.ts'
import { decoyEmail } from './codes.ts'

const database = await createTestDatabase()
const server = await openTestServerOn(database, TRUST_FORWARDED_FOR)
/** A second process without a job worker, whose statements and use of passwords are recorded. */
const pool = database.connect()
await prepareAll()
const sent: string[] = []
const record = (_connection: number, statement: string) => {
  // A timer sends one notice to other processes for all writes of 100 ms, on a connection of its own.
  if (!/pg_notify|pg_catalog/.test(statement)) sent.push(statement)
}
Object.assign(pool.sql.options, { debug: record })
const { hash, verify, ...others } = server.deps.passwords
const passwords: Deps['passwords'] = {
  ...others,
  hash: (...args) => (sent.push('hash a password'), hash(...args)),
  verify: (...args) => (sent.push('verify a password'), verify(...args)),
}
const process = { pool, app: await buildApp({ ...server.deps, db: pool.db, passwords }), sent }
afterAll(async () => {
  await process.app.close()
  await process.pool.close()
  await server.close()
})

const KINDS = ['a member', 'of the external provider', 'banned', 'unknown'] as const
type Kind = (typeof KINDS)[number]

/** An account of each kind: addresses of equal length, so that responses are too, and one network address each. */
async function createAccount(kind: Kind): Promise<string> {
  const email = uniqueEmail()
  if (kind === 'unknown') return email
  const { id } = await server.createMember()
  await server.sql`update users set email = ${email}, language = 'fr' where id = ${id}`
  if (kind === 'of the external provider') await server.sql`update users set password_hash = null where id = ${id}`
  if (kind === 'banned')
    await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${id}`
  return email
}

/** The kind and table of a statement; columns and parameters have no measurable cost. */
const kindOf = (statement: string): string =>
  statement.replace(/^(\w+ )[^]*?((?:from|into|update) \S+)[^]*$/, '$1$2').trim()

interface Call {
  path: string
  procedure: string
  fields: object
}
const fresh = { password: 'Tagine-2027', confirmPassword: 'Tagine-2027' }
const name = 'Nour Benali'
const otp = '000000'
const CALLS = {
  login: { path: '/auth/login', procedure: 'auth.login', fields: { password: 'Zellige-2027' } },
  register: { path: '/auth/register', procedure: 'auth.register', fields: { name, ...fresh } },
  resendRegistration: {
    path: '/auth/resend-registration-otp',
    procedure: 'auth.resendRegistrationOtp',
    fields: { name },
  },
  verifyRegistration: {
    path: '/auth/verify-registration-otp',
    procedure: 'auth.verifyRegistrationOtp',
    fields: { name, password: PASSWORD, otp },
  },
  send: { path: '/auth/send-otp', procedure: 'auth.sendOtp', fields: {} },
  resend: { path: '/auth/resend-otp', procedure: 'auth.resendOtp', fields: {} },
  verify: { path: '/auth/verify-otp', procedure: 'auth.verifyOtp', fields: { otp } },
  verifyExternal: { path: '/auth/verify-google-otp', procedure: 'auth.verifyGoogleOtp', fields: { otp } },
  forgot: { path: '/auth/forgot-password', procedure: 'auth.forgotPassword', fields: {} },
  reset: { path: '/auth/reset-password', procedure: 'auth.resetPassword', fields: { otp, ...fresh } },
} satisfies Record<string, Call>
type Name = keyof typeof CALLS

const send = (app: FastifyInstance, url: string, call: Call, email: string, address: string) =>
  app.inject({ method: 'POST', url, headers: fromAddress(address), payload: { email, ...call.fields } })

/** Sets the age of an address's codes and limits to whole seconds, so that cooldowns are equal. */
async function setAge(email: string, seconds: number): Promise<void> {
  await server.clock.setAgeOfCodes(seconds, [email, decoyEmail(email)])
  await server.clock.resetLimitsIn(600, email)
}

/** Everything a client can read from a response, except the address, the request's id and the date. */
async function readableResponses(call: Call, email: string, age: number, address: string): Promise<string> {
  const responses: unknown[] = []
  for (const url of [`/api${call.path}`, `/trpc/${call.procedure}`]) {
    await setAge(email, age)
    const { statusCode, headers, body } = await send(server.app, url, call, email, address)
    const { 'x-request-id': _id, date: _date, ...same } = headers
    responses.push({ url, statusCode, same, body: maskRequestId(body, headers).replaceAll(email, 'EMAIL') })
  }
  return maskSealedIds(JSON.stringify(responses, null, 1))
}

describe('whether an address has an account is not revealed', () => {
  const SCRIPT: [phase: string, age: number, calls: Name[]][] = [
    ['at first', 10, ['login', 'register', 'register', 'send', 'forgot', 'login']],
    ['too soon', 10, ['resendRegistration', 'send', 'resend', 'forgot', 'register']],
    [
      'guessing',
      20,
      ['verifyRegistration', 'verify', 'verifyExternal', 'reset', 'verifyRegistration', 'verify', 'reset'],
    ],
    // Two attempts per transport so far: the fifth and those beyond it.
    [
      'out of attempts',
      30,
      ['verifyRegistration', 'verify', 'reset', 'verifyRegistration', 'verify', 'reset', 'login'],
    ],
    ['another code', 241, ['resendRegistration', 'resend', 'forgot']],
    ['guessing again', 10, ['verifyRegistration', 'verify', 'reset']],
    ['too old', 301, ['verifyRegistration', 'verify', 'reset', 'verifyRegistration', 'verify', 'reset']],
    ['after that', 301, ['forgot', 'send', 'resendRegistration']],
  ]

  it('by responses: body, status, headers and cooldown are the same, over both transports, before and after expiry', async () => {
    const people = await Promise.all(
      KINDS.map(async (kind, index) => ({ email: await createAccount(kind), address: `10.20.${index}.1` })),
    )
    for (const [phase, age, calls] of SCRIPT)
      for (const called of calls) {
        const results: string[] = []
        for (const { email, address } of people)
          results.push(await readableResponses(CALLS[called], email, age, address))
        for (const [index, kind] of KINDS.entries())
          expect(`${phase}, ${called}, ${kind}: ${results[index]}`).toBe(
            `${phase}, ${called}, ${kind}: ${results.at(-1)}`,
          )
      }
    const [member, external, banned, unknown] = people.map(({ email }) => email)
    const resets = async (email = '') =>
      (await findQueuedTemplates(server, email)).filter((template) => template === 'code-reset').length
    // Sanity check: codes were mailed to existing accounts, and only to them.
    expect(await Promise.all([member, external, banned, unknown].map(resets))).toEqual([5, 5, 0, 0])
  })

  it('by the daily mail limit: it counts unsent mails too', async () => {
    const people = await Promise.all(
      KINDS.map(async (kind, index) => ({ email: await createAccount(kind), network: `10.21.${index}` })),
    )
    const rounds: string[] = []
    // Two per round: ten from one address, ten from another, then one an hour from anywhere.
    const places = [...Array.from({ length: 6 }, () => 1), ...Array.from({ length: 5 }, () => 2), 3]
    for (const place of places) {
      const results = []
      for (const { email, network } of people) {
        const address = `${network}.${place}`
        const responses: string[] = []
        for (const again of [1, 2]) {
          await setAge(email, 241 + again)
          const url = '/api/auth/forgot-password'
          const { statusCode, headers, body } = await send(server.app, url, CALLS.forgot, email, address)
          responses.push(maskSealedIds(`${statusCode} ${maskRequestId(body, headers)}`))
        }
        results.push(responses.join('\n'))
      }
      expect(new Set(results).size).toBe(1)
      rounds.push(results[0] ?? '')
    }
    const rejections = rounds.map((text) => text.split('TOO_MANY_REQUESTS').length - 1)
    expect(rejections).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1])
  })

  it.each(Object.entries(CALLS))('by the statements and password hashes of %s', async (called, call) => {
    const statementsFor = async (kind: Kind, index: number) => {
      const email = await createAccount(kind)
      const work: string[][] = []
      for (const age of [10, 10, 241, 301]) {
        await setAge(email, age)
        process.sent.length = 0
        await send(process.app, `/api${call.path}`, call, email, `10.22.${index}.${called.length}`)
        work.push(process.sent.map(kindOf))
      }
      return work
    }
    // The first call fills the process's caches.
    await statementsFor('unknown', 9)
    const [member, ...others] = await mapInSequence(KINDS, statementsFor)
    for (const other of others) expect(other).toEqual(member)
    if (called !== 'verifyExternal') expect(member?.[0]?.length).toBeGreaterThan(2)
    if (called === 'login') expect(member?.[0]).toContain('verify a password')
  })

  it('by a code entered with the id of a reset or registration: responses and statements are the same', async () => {
    const seen = await mapInSequence(KINDS, async (kind, index) => {
      const email = await createAccount(kind)
      const address = `10.24.${index}.1`
      const responses: unknown[] = []
      for (const [begin, end] of [
        [CALLS.forgot, CALLS.reset],
        [CALLS.register, CALLS.verifyRegistration],
      ] as const) {
        const { data } = (await send(process.app, `/api${begin.path}`, begin, email, address)).json<{ data: object }>()
        const ids = Object.fromEntries(Object.entries(data).filter(([field]) => field.endsWith('Id')))
        expect(Object.keys(ids)).toHaveLength(1)
        // Five attempts, two beyond them, and one after the code has expired.
        for (const age of [10, 10, 10, 10, 10, 10, 10, 301]) {
          await setAge(email, age)
          process.sent.length = 0
          const call = { ...end, fields: { ...end.fields, ...ids } }
          const { statusCode, headers, body } = await send(process.app, `/api${end.path}`, call, email, address)
          responses.push([statusCode, maskRequestId(body, headers), process.sent.map(kindOf)])
        }
      }
      return responses
    })
    for (const other of seen.slice(1)) expect(other).toEqual(seen[0])
    expect(JSON.stringify(seen[0])).toContain('CODE_EXPIRED')
  })
})

async function mapInSequence<T, R>(list: readonly T[], make: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of list.entries()) results.push(await make(item, index))
  return results
}
