import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from './test-server.ts'

const [CACHED, PAGE, SEARCH] = [1, 2, 10]
const LIMITS = { perIp: 60, perUser: 40 }
const REFILL_SECONDS = 20

const server = await openTestServer({
  TRUST_PROXY: 'loopback',
  READ_UNITS_PER_IP: String(LIMITS.perIp),
  READ_UNITS_PER_USER: String(LIMITS.perUser),
})
const member = await server.createMember()
afterAll(() => server.close())

let addresses = 0
/** An IP address with an unused budget. */
const newAddress = () => `203.0.113.${++addresses}`

const get = (url: string, address: string, token?: string) =>
  server.app.inject({
    url,
    headers: { 'x-forwarded-for': address, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })

/** The remaining budget in the RateLimit header. */
const leftOf = ({ headers }: Awaited<ReturnType<typeof get>>) => {
  const [, kind, remaining, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? []
  return { kind, left: Number(remaining), seconds: Number(seconds) }
}
const input = (...inputs: object[]) =>
  `batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.map((value, index) => [index, value]))))}`

/** The cost of a read. The budget refills slowly. */
async function costOf(url: string): Promise<number> {
  const { left } = leftOf(await get(url, newAddress()))
  return LIMITS.perIp - left
}
/** Repeats the read until it is cached, because any write in the cluster, also of another test file, invalidates cached responses. */
const expectCached = (url: string) => expect.poll(() => costOf(url), { timeout: 15_000 }).toBe(CACHED)

describe('the read budget', () => {
  it('is reported in the RateLimit headers of every read', async () => {
    for (const url of ['/api/users/profile', '/api/teams?page=0', '/trpc/no.such', '/trpc/roles.list', '/api/roles']) {
      const { headers } = await get(url, newAddress())
      expect(headers['ratelimit-policy']).toBe(`"address";q=${LIMITS.perIp};w=${REFILL_SECONDS}`)
      expect(headers['ratelimit']).toMatch(/^"address";r=\d+;t=[12]$/)
    }
    const write = await server.app.inject({ method: 'POST', url: '/api/auth/logout', payload: {} })
    expect(write.headers['ratelimit']).toBeUndefined()
  })

  it('charges 2 for a page, 1 for a cached page, 10 for a search', async () => {
    expect(await costOf('/api/teams?limit=17')).toBe(PAGE)
    await expectCached('/api/teams?limit=17')
    expect(await costOf('/api/teams?search=atlas')).toBe(SEARCH)
    expect(await costOf(`/trpc/teams.list?input=${encodeURIComponent('{"search":"sahara"}')}`)).toBe(SEARCH)
  })

  it('charges each procedure of a batch', async () => {
    const url = (...inputs: object[]) => `/trpc/${inputs.map(() => 'teams.list').join(',')}?${input(...inputs)}`
    expect(await costOf(url({ limit: 21 }, { limit: 22 }, { limit: 23, search: 'x y' }))).toBe(2 * PAGE + SEARCH)
    expect(await costOf(`/trpc/${Array.from({ length: 10 }, () => 'no.such').join(',')}?batch=1`)).toBe(10)
  })

  it('answers 429 with Retry-After and does not affect other addresses', async () => {
    const address = newAddress()
    const all = await Promise.all(
      Array.from({ length: 14 }, (_, index) => get(`/api/teams?search=over${index}`, address)),
    )
    const rejected = await get('/api/teams?limit=31', address)
    expect(all[0]?.statusCode).toBe(200)
    expect(rejected.statusCode).toBe(429)
    const { cooldown, code } = rejected.json<{ cooldown: number; code: string }>()
    expect(code).toBe('TOO_MANY_REQUESTS')
    expect(cooldown).toBeGreaterThan(1)
    expect(rejected.headers['retry-after']).toBe(String(cooldown))
    expect(leftOf(rejected)).toEqual({ kind: 'address', left: 0, seconds: cooldown })
    expect((await get('/api/teams?limit=31', newAddress())).statusCode).toBe(200)
    expect(
      (await server.app.inject({ url: '/api/health/live', headers: { 'x-forwarded-for': address } })).statusCode,
    ).toBe(200)
  })

  it('counts signed-in users separately from their IP address', async () => {
    const address = newAddress()
    expect(leftOf(await get('/api/users/profile', address, member.token)).kind).toBe('address')
    await Promise.all(Array.from({ length: 14 }, (_, index) => get(`/api/teams?search=strange${index}`, address)))
    expect((await get('/api/roles', address)).statusCode).toBe(429)
    const own = await get('/api/users/profile', address, member.token)
    expect([own.statusCode, leftOf(own)]).toMatchObject([200, { kind: 'person', left: LIMITS.perUser - PAGE }])
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => get(`/api/teams?search=own${index}`, newAddress(), member.token)),
    )
    expect((await get('/api/users/profile', newAddress(), member.token)).statusCode).toBe(429)
  })

  it('counts an invalid token for the IP address', async () => {
    const response = await get('/api/roles', newAddress(), 'x'.repeat(40))
    expect([response.statusCode, leftOf(response).kind]).toEqual([401, 'address'])
  })

  it('counts all subnets of an IPv6 site together', async () => {
    const from = (subnet: number) => get(`/api/teams?search=six${subnet}`, `2001:db8:7:${subnet.toString(16)}::1`)
    const spent = await Promise.all(Array.from({ length: 70 }, (_, subnet) => from(subnet)))
    expect(spent[0]?.statusCode).toBe(200)
    expect((await from(999)).statusCode).toBe(429)
    expect((await get('/api/teams?search=six', '2001:db8:8:1::1')).statusCode).toBe(200)
  })
})

describe('a cached response', () => {
  it('is shared by both transports and ignores unknown fields', async () => {
    await expectCached('/api/teams?limit=41')
    const trpc = (value: object) => `/trpc/teams.list?input=${encodeURIComponent(JSON.stringify(value))}`
    for (const url of [
      '/api/teams?limit=41&page=1&unknown=1',
      '/api/teams?page=1&limit=41&sort=name',
      trpc({ limit: 41 }),
      trpc({ limit: 41, [`x${Math.random()}`]: 1 }),
      trpc({ order: 'asc', limit: 41, page: 1 }),
    ])
      await expectCached(url)
  })
})
