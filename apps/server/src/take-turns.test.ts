import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { contract, type Domain } from '@community/contract'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { sendFailure } from './envelope.ts'
import { toFailure } from './errors.ts'
import { fastifyPath } from './rest.ts'
import { createShares, createTurns, takeTurns, takeTurnsIn } from './take-turns.ts'

/** What is told to whoever waited in vain. */
const BUSY = { status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } }

it('so many calls are under way at once; others wait their turn, and are refused when it does not come', async () => {
  const turns = createTurns({ atOnce: 2, patience: 50 })
  const [first, second] = [await turns.take(), await turns.take()]
  await Promise.all([
    expect(turns.take().catch(toFailure)).resolves.toMatchObject(BUSY),
    expect(turns.take()).rejects.toMatchObject({ fault: { code: 'UNAVAILABLE' } }),
  ])

  const fourth = turns.take()
  first()
  // Ended twice is ended once.
  first()
  const ends = [await fourth, second]
  await expect(turns.take()).rejects.toThrow()
  for (const end of ends) end()
  await Promise.all([turns.take(), turns.take()])
  await expect(turns.take()).rejects.toThrow()
})

it('somebody has only some of the turns at once, and others have theirs', async () => {
  const { take } = createShares({ each: 2, atOnce: 3, patience: 50 })
  const [first, second] = [await take('a'), await take('a')]
  expect(await take('a').catch(toFailure)).toMatchObject(BUSY)
  const other = await take('b')
  // All are taken; who waited for one in vain holds nothing of their own share.
  await Promise.all([expect(take('b')).rejects.toThrow(), expect(take('c')).rejects.toThrow()])
  const next = take('a')
  first()
  first()
  const ends = [await next, second, other]
  await expect(take('b')).rejects.toThrow()
  for (const end of ends) end()
  await Promise.all([take('b'), take('b'), take('c')])
})

it('a call gives its turn back however it ends', async () => {
  const app = Fastify({ forceCloseConnections: true })
  const turns = createTurns({ atOnce: 1, patience: 200 })
  takeTurnsIn(app, () => turns)
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  app.get('/well', async () => ({}))
  app.get('/badly', async () => {
    throw new Error('on purpose')
  })
  let arrived = () => {}
  const isThere = new Promise<void>((resolve) => (arrived = resolve))
  app.get('/never', () => {
    arrived()
    return new Promise(() => {})
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (let turn = 0; turn < 5; turn++) {
    expect((await fetch(`${origin}/well`)).status).toBe(200)
    expect((await fetch(`${origin}/badly`)).status).toBe(500)
  }
  const leaving = new AbortController()
  const never = fetch(`${origin}/never`, { signal: leaving.signal })
  await isThere
  expect((await fetch(`${origin}/well`)).status).toBe(503)
  leaving.abort()
  await expect(never).rejects.toThrow()
  await expect.poll(async () => (await fetch(`${origin}/well`)).status).toBe(200)
  await app.close()
})

it('calls that hash a password wait for one another, at either door, and no other call for them', async () => {
  const app = Fastify()
  takeTurns(contract)(app)
  const started: string[] = []
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const calls = Object.entries<Domain>(contract).flatMap(([domain, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ ...route, name: `${domain}.${name}` })),
  )
  const byLine = (isHashing: boolean) =>
    calls.flatMap(({ name, confirm, hashes }) => ((confirm || hashes) === isHashing ? [name] : []))
  const [hashing, others] = [byLine(true), byLine(false)]
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
    app.inject({ method: 'POST', url: `/trpc/teams.get,${name}` }),
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

describe('a turn', () => {
  /** Calls that wait until all who share the server's turns are there, or for ever, and who never reads. */
  async function listening() {
    const app = Fastify({ forceCloseConnections: true })
    const turns = createTurns({ atOnce: 50, patience: 5000 })
    takeTurnsIn(app, () => turns)
    app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
    let begun = 0
    let listeners = 0
    app.get('/never', ({ raw }) => {
      begun++
      listeners = raw.socket.listenerCount('close')
      return new Promise(() => {})
    })
    app.get('/large', async () => {
      begun++
      return Buffer.alloc(8 * 2 ** 20)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const send = async (path: string, times: number) => {
      const socket = connect(port, '127.0.0.1').pause()
      await once(socket, 'connect')
      socket.on('error', () => {}).write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
      return socket
    }
    /** As many turns as there are can be taken at once, and are given back. */
    const takeAll = async () => {
      const ends = await Promise.all(Array.from({ length: 50 }, () => turns.take()))
      for (const end of ends) end()
    }
    return { app, send, takeAll, begun: () => begun, listeners: () => listeners }
  }

  it('is given back by all the calls that one connection sent without waiting, when it breaks off', async () => {
    const { app, send, takeAll, begun, listeners } = await listening()
    const socket = await send('/never', 400)
    await expect.poll(begun).toBe(50)
    expect(listeners()).toBeLessThan(10)
    socket.resetAndDestroy()
    await takeAll()
    // Those that still stood in the line were not begun for nobody.
    expect(begun()).toBe(50)
    await app.close()
  })

  it('is given back by a call whose answer nobody reads', async () => {
    const { app, send, takeAll, begun } = await listening()
    const socket = await send('/large', 20)
    await expect.poll(begun).toBeGreaterThan(5)
    await takeAll()
    expect(socket.destroyed).toBe(false)
    socket.destroy()
    await app.close()
  })
})
