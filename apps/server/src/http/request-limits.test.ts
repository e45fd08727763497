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

const NO_BUDGET = { readBudget: { perAddress: 1_000_000, perPerson: 1_000_000 } }
const PERSON = { authorization: 'Bearer 0123456789abcdef0123' }

let app: FastifyInstance
afterEach(() => app.close())

/** An app whose clients may run `atOnce` calls at once; slow calls end with `endAll`. */
function openApp(atOnce: number) {
  app = Fastify({ forceCloseConnections: true, trustProxy: 'loopback' })
  const clients = createClients()
  const readLimit = createReadLimit(NO_BUDGET, clients)
  const admission = createRequestLimits({
    contract,
    config: { callsAtOnce: { perAddress: atOnce, perPerson: atOnce } },
    clients,
    readLimit,
    maxBatchSize: 10,
  })
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  admission.addHooks(app)
  let begun = 0
  const ends: (() => void)[] = []
  app.get('/slow', () => {
    begun++
    return new Promise((resolve) => ends.push(() => resolve({})))
  })
  app.get('/well', async (request) => {
    if (request.headers.authorization) clients.remember(request, 'sara')
    return {}
  })
  app.get('/badly', async () => {
    throw new Error('on purpose')
  })
  app.get('/large', async () => Buffer.alloc(8 * 2 ** 20))
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  return { admission, get, endAll, begun: () => begun }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

it('gives a unit back however a call ends', async () => {
  const { get } = openApp(1)
  for (let turn = 0; turn < 5; turn++) {
    expect((await get('/well')).statusCode).toBe(200)
    expect((await get('/badly')).statusCode).toBe(500)
  }
})

it('gives a unit back where a later hook refuses the call', async () => {
  const { get } = openApp(1)
  app.addHook('preHandler', async () => {
    throw new Error('on purpose')
  })
  for (let turn = 0; turn < 3; turn++) expect((await get('/well')).statusCode).toBe(500)
})

it('lets other addresses go on while one waits for its share, which is refused with 429', async () => {
  const { get, endAll, begun } = openApp(2)
  const held = [get('/slow', from('203.0.113.1')), get('/slow', from('203.0.113.1'))]
  await expect.poll(begun).toBe(2)
  const waiting = get('/well', from('203.0.113.1'))
  expect((await get('/well', from('203.0.113.2'))).statusCode).toBe(200)
  const refused = await waiting
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect(refused.headers['retry-after']).toBe('2')
  endAll()
  for (const { statusCode } of await Promise.all(held)) expect(statusCode).toBe(200)
})

it('lets a signed-in person go on while anonymous requests of the same address wait', async () => {
  const { get, endAll, begun } = openApp(1)
  // From here on the token tells whose request it is.
  await get('/well', PERSON)
  const held = get('/slow')
  await expect.poll(begun).toBe(1)
  const waiting = get('/well')
  expect((await get('/well', PERSON)).statusCode).toBe(200)
  endAll()
  expect((await waiting).statusCode).toBe(200)
  await held
})

it('holds the unit of a call that its sender hung up on, until the call is over', async () => {
  const { get, endAll, begun } = openApp(3)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const gone = Array.from({ length: 3 }, () => fetch(`${origin}/slow`, { signal: leaving.signal }))
  await expect.poll(begun).toBe(3)
  leaving.abort()
  for (const call of gone) await expect(call).rejects.toThrow()
  expect((await get('/well')).statusCode).toBe(429)
  endAll()
  expect((await get('/well')).statusCode).toBe(200)
})

it('does not begin what its sender hung up on while it waited', async () => {
  const { get, endAll, begun } = openApp(5)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.on('error', () => {}).write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40))
  await expect.poll(begun).toBe(5)
  socket.resetAndDestroy()
  await once(socket, 'close')
  endAll()
  expect((await get('/well')).statusCode).toBe(200)
  expect(begun()).toBe(5)
})

it('does not wait for somebody to read an answer', async () => {
  const { get } = openApp(1)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.on('error', () => {}).write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  expect((await get('/well')).statusCode).toBe(200)
  socket.destroy()
})

it('counts a batch by its calls, and runs no more of them at once than that', async () => {
  const { admission } = openApp(3)
  let [running, most] = [0, 0]
  app.get<{ Params: { path: string } }>('/trpc/:path', async (request) => {
    const run = admission.procedureRunner(request)
    const call = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await Promise.all(request.params.path.split(',').map(() => run(call)))
    return {}
  })
  const batch = app.inject('/trpc/a,b,c,d,e,f,g?batch=1')
  const another = app.inject('/trpc/a,b,c?batch=1')
  for (const { statusCode } of await Promise.all([batch, another])) expect(statusCode).toBe(200)
  expect(most).toBe(3)
})

it('lets calls that hash a password wait for one another, over either transport, and no other call for them', async () => {
  openApp(256)
  const started: string[] = []
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const calls = Object.entries<Domain>(contract).flatMap(([domain, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ ...route, name: `${domain}.${name}` })),
  )
  const byKind = (isHashing: boolean) =>
    calls.flatMap(({ name, confirm, hashesPassword }) => ((confirm || hashesPassword) === isHashing ? [name] : []))
  const [hashing, others] = [byKind(true), byKind(false)]
  expect(hashing).toEqual(expect.arrayContaining(['auth.verifyRegistrationOtp', 'users.remove', 'admin.ban']))
  expect(others).toContain('auth.register')
  const handle = async (name: string) => {
    started.push(name)
    if (hashing.some((one) => name.includes(one))) await isOpen
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
