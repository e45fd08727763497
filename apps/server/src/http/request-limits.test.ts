import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { contract, type Domain } from '@community/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { sendFailure } from './envelope.ts'
import { fastifyPath } from '../rest/routes.ts'
import { createRequestLimits } from './request-limits.ts'
import { createClients } from './rate-limit-client.ts'
import { createReadLimit } from './read-limit.ts'

const UNLIMITED_READS = { readUnits: { perIp: 1_000_000, perUser: 1_000_000 } }
const PERSON = { authorization: 'Bearer 0123456789abcdef0123' }

let app: FastifyInstance
afterEach(() => app.close())

/** An app that allows each client `maxConcurrent` requests; `endAll` ends those to `/slow`. */
function openApp(maxConcurrent: number) {
  app = Fastify({ forceCloseConnections: true, trustProxy: 'loopback' })
  const clients = createClients()
  const readLimit = createReadLimit(UNLIMITED_READS, clients)
  const requestLimits = createRequestLimits({
    contract,
    config: { concurrentRequests: { perIp: maxConcurrent, perUser: maxConcurrent } },
    clients,
    readLimit,
    maxBatchSize: 10,
  })
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  requestLimits.addHooks(app)
  let started = 0
  const ends: (() => void)[] = []
  app.get('/slow', () => {
    started++
    return new Promise((resolve) => ends.push(() => resolve({})))
  })
  app.get('/succeeds', async (request) => {
    if (request.headers.authorization) clients.remember(request, 'sara')
    return {}
  })
  app.get('/fails', async () => {
    throw new Error('on purpose')
  })
  app.get('/large', async () => Buffer.alloc(8 * 2 ** 20))
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  return { requestLimits, get, endAll, startedCount: () => started }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

it('releases the unit whether a request succeeds or fails', async () => {
  const { get } = openApp(1)
  for (let round = 0; round < 5; round++) {
    expect((await get('/succeeds')).statusCode).toBe(200)
    expect((await get('/fails')).statusCode).toBe(500)
  }
})

it('releases the unit when a later hook rejects the request', async () => {
  const { get } = openApp(1)
  app.addHook('preHandler', async () => {
    throw new Error('on purpose')
  })
  for (let round = 0; round < 3; round++) expect((await get('/succeeds')).statusCode).toBe(500)
})

it('responds 429 to an address above its limit without delaying other addresses', async () => {
  const { get, endAll, startedCount } = openApp(2)
  const running = [get('/slow', from('203.0.113.1')), get('/slow', from('203.0.113.1'))]
  await expect.poll(startedCount).toBe(2)
  const waiting = get('/succeeds', from('203.0.113.1'))
  expect((await get('/succeeds', from('203.0.113.2'))).statusCode).toBe(200)
  const rejected = await waiting
  expect([rejected.statusCode, rejected.json().code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect([rejected.headers['retry-after'], rejected.headers['ratelimit']]).toEqual(['2', '"address";r=0;t=2'])
  endAll()
  for (const { statusCode } of await Promise.all(running)) expect(statusCode).toBe(200)
})

it('does not delay a signed-in user while anonymous requests of the same address wait', async () => {
  const { get, endAll, startedCount } = openApp(1)
  // The first request caches the user of the token.
  await get('/succeeds', PERSON)
  const running = get('/slow')
  await expect.poll(startedCount).toBe(1)
  const waiting = get('/succeeds')
  expect((await get('/succeeds', PERSON)).statusCode).toBe(200)
  endAll()
  expect((await waiting).statusCode).toBe(200)
  await running
})

it('releases the unit of a disconnected client only when the handler ends', async () => {
  const { get, endAll, startedCount } = openApp(3)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const abort = new AbortController()
  const requests = Array.from({ length: 3 }, () => fetch(`${origin}/slow`, { signal: abort.signal }))
  await expect.poll(startedCount).toBe(3)
  abort.abort()
  for (const request of requests) await expect(request).rejects.toThrow()
  expect((await get('/succeeds')).statusCode).toBe(429)
  endAll()
  expect((await get('/succeeds')).statusCode).toBe(200)
})

it('does not start a waiting request after its client disconnects', async () => {
  const { get, endAll, startedCount } = openApp(5)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.on('error', () => {}).write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40))
  await expect.poll(startedCount).toBe(5)
  socket.resetAndDestroy()
  await once(socket, 'close')
  endAll()
  expect((await get('/succeeds')).statusCode).toBe(200)
  expect(startedCount()).toBe(5)
})

it('releases the unit before the client has read the response', async () => {
  const { get } = openApp(1)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.on('error', () => {}).write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  expect((await get('/succeeds')).statusCode).toBe(200)
  socket.destroy()
})

it('counts a batch by its procedures, and runs no more of them at once than it has units', async () => {
  const { requestLimits } = openApp(3)
  let [inFlight, maxInFlight] = [0, 0]
  app.get<{ Params: { path: string } }>('/trpc/:path', async (request) => {
    const run = requestLimits.procedureRunner(request)
    const call = async () => {
      maxInFlight = Math.max(maxInFlight, ++inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
    }
    await Promise.all(request.params.path.split(',').map(() => run(call)))
    return {}
  })
  const batch = app.inject('/trpc/a,b,c,d,e,f,g?batch=1')
  const another = app.inject('/trpc/a,b,c?batch=1')
  for (const { statusCode } of await Promise.all([batch, another])) expect(statusCode).toBe(200)
  expect(maxInFlight).toBe(3)
})

it('queues password hashing separately from other requests, over either transport', async () => {
  openApp(256)
  const started: string[] = []
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const calls = Object.entries<Domain>(contract).flatMap(([domain, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ ...route, name: `${domain}.${name}` })),
  )
  const byKind = (isHashing: boolean) =>
    calls.flatMap(({ name, requiresAdminPassword, hashesPassword }) =>
      (requiresAdminPassword || hashesPassword) === isHashing ? [name] : [],
    )
  const [hashing, others] = [byKind(true), byKind(false)]
  expect(hashing).toEqual(expect.arrayContaining(['auth.verifyRegistrationOtp', 'users.remove', 'admin.ban']))
  expect(others).toContain('auth.register')
  const handle = async (name: string) => {
    started.push(name)
    if (hashing.some((hashingName) => name.includes(hashingName))) await isOpen
    return {}
  }
  for (const { name, method, path } of calls)
    app.route({ method, url: `/api${fastifyPath(path)}`, handler: () => handle(name) })
  app.post<{ Params: { path: string } }>('/trpc/:path', ({ params }) => handle(params.path))

  const send = ({ name, method, path }: (typeof calls)[number]) => [
    app.inject({ method, url: `/api${path.replace(/\{\w+\}/g, 'a')}` }),
    app.inject({ method: 'POST', url: `/trpc/${name}` }),
    app.inject({ method: 'POST', url: `/trpc/teams.get,${name}?batch=1` }),
  ]
  const first = Array.from({ length: 32 }, () => app.inject({ method: 'POST', url: '/api/auth/login' }))
  await expect.poll(() => started.length).toBe(32)
  const every = calls.flatMap(send)
  await expect.poll(() => started.length).toBe(32 + 3 * others.length)
  expect(new Set(started)).toEqual(new Set(['auth.login', ...others.flatMap((name) => [name, `teams.get,${name}`])]))
  open()
  for (const { statusCode } of await Promise.all([...first, ...every])) expect(statusCode).toBe(200)
  expect(started).toHaveLength(32 + 3 * calls.length)
})
