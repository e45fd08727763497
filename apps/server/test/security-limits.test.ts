import { inTransaction } from '@community/db'
import { PASSWORD, uniqueEmail } from '@community/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { IP_FAILURES } from '../src/auth/limit-attempts.ts'
import { databaseErrorOf } from '../src/errors.ts'
import { openTestServer, type TestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

describe('database timeouts', () => {
  it('are set on every connection', async () => {
    const settings = await Promise.all(
      Array.from(
        { length: 8 },
        () => server.sql`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`,
      ),
    )
    for (const [row] of settings) expect(row).toEqual({ statement: '3s', lock: '2s', idle: '5s' })
  })

  it('cancel a long statement and result in 503', async () => {
    const startedAt = performance.now()
    const ended = inTransaction(server.db, (tx) => tx.execute(sql`select pg_sleep(20)`))
    const error: unknown = await ended.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(databaseErrorOf((error as Error).cause ?? error)).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('result in 503 if a lock is not granted, without a later effect', async () => {
    const [chef, joiner] = await Promise.all([server.createMember(), server.createMember()])
    const team = await server.createTeam(chef)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let resolveLocked = () => {}
    const locked = new Promise<void>((resolve) => (resolveLocked = resolve))
    const holder = inTransaction(server.db, async (tx) => {
      await tx.execute(sql`select id from teams where id = ${team.id} for update`)
      resolveLocked()
      await released
    })
    await locked
    const rejected = await server.join(team, joiner)
    expect(rejected).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } })
    release()
    await holder
    expect((await server.rest(chef)(`GET /teams/${team.id}`)).body.data.team.members).toHaveLength(1)
    expect((await server.join(team, joiner)).status).toBe(201)
  })
})

/** Sends guesses beyond the rate limit; returns the number of those that the server checked. */
async function countCheckedGuesses(
  at: TestServer,
  headersOf: (index: number) => Record<string, string>,
): Promise<number> {
  const guess = (index: number) =>
    at.rest()('POST /auth/verify-otp', { email: uniqueEmail(), otp: '000000' }, headersOf(index))
  let checked = 0
  for (let round = 0; round < IP_FAILURES.max + 10; round += 10) {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, nth) => guess(round + nth)))
    checked += responses.filter(({ body }) => body.code === 'CODE_INVALID').length
  }
  return checked
}

/** All headers in which a proxy may send an IP address. */
const forgedHeaders = (address: string): Record<string, string> => ({
  'x-forwarded-for': `${address}, ${address}`,
  forwarded: `for=${address}`,
  'x-real-ip': address,
  'x-client-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
})

describe('forwarded addresses', () => {
  it('are ignored without a trusted proxy', async () =>
    expect(await countCheckedGuesses(server, (index) => forgedHeaders(`203.0.113.${index % 250}`))).toBe(
      IP_FAILURES.max,
    ))

  it('are trusted only as far as the trusted proxy', async () => {
    const proxied = await openTestServer({ TRUST_PROXY: 'loopback' })
    // The proxy appends the address it sees; earlier entries can be forged.
    const checked = await countCheckedGuesses(proxied, (index) => ({
      'x-forwarded-for': `198.51.100.${index % 250}, 203.0.113.7`,
    }))
    expect(checked).toBe(IP_FAILURES.max)
    const another = await proxied.rest()(
      'POST /auth/login',
      { email: uniqueEmail(), password: PASSWORD },
      { 'x-forwarded-for': '203.0.113.8' },
    )
    expect(another.body.code).toBe('WRONG_CREDENTIALS')
    await proxied.close()
  })

  it('are read in every form proxies write and cannot be forged to evade a limit', async () => {
    const proxied = await openTestServer({ TRUST_PROXY: 'loopback' })
    const keysOf = async (forwarded: string) => {
      await proxied.sql`delete from rate_limits`
      const code = { email: uniqueEmail(), otp: '000000' }
      const { body } = await proxied.rest()('POST /auth/verify-otp', code, { 'x-forwarded-for': forwarded })
      expect(body.code).toBe('CODE_INVALID')
      const rows = await proxied.sql<{ key: string }[]>`select key from rate_limits where key like 'attempts:%'`
      return rows.map(({ key }) => key).toSorted()
    }
    expect(await keysOf('203.0.113.7:5678')).toEqual(['attempts:203.0.113.7'])
    expect(await keysOf('198.51.100.1, 203.0.113.7:5678, 127.0.0.1:80')).toEqual(['attempts:203.0.113.7'])
    const [site, subnet] = ['attempts:2001:db8:0::/48', 'attempts:2001:db8:0:0::/64']
    for (const forwarded of ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443', '2001:db8::1%eth0'])
      expect(await keysOf(forwarded)).toEqual([subnet, site].toSorted())
    for (const unreadable of ['unknown', 'a'.repeat(5000), '203.0.113.7, %', "'; drop table users", '[::1'])
      expect(await keysOf(unreadable)).toEqual(['attempts:127.0.0.1'])
    await proxied.close()
  })

  it('count an IPv6 site over all its subnets', async () => {
    const proxied = await openTestServer({ TRUST_PROXY: 'loopback' })
    const guess = (address: string) =>
      proxied.rest()('POST /auth/verify-otp', { email: uniqueEmail(), otp: '000000' }, { 'x-forwarded-for': address })
    expect((await guess('2001:db8:7:1::1')).body.code).toBe('CODE_INVALID')
    const filled = await proxied.sql`
      update rate_limits set count = 10 * ${IP_FAILURES.max} where key = 'wrong:2001:db8:7::/48' and count = 1 returning 1`
    expect(filled).toHaveLength(1)
    expect((await guess('2001:db8:7:2::1')).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await guess('2001:db8:8:1::1')).body.code).toBe('CODE_INVALID')
    await proxied.close()
  })
})
