import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { sendFailure } from './envelope.ts'
import { createTurns, takeTurns, takeTurnsIn } from './take-turns.ts'

it('so many calls are under way at once; others wait their turn, and are refused when it does not come', async () => {
  const turns = createTurns({ atOnce: 2, patience: 50 })
  const [first, second] = [await turns.take(), await turns.take()]
  await Promise.all([
    expect(turns.take()).rejects.toMatchObject({ fault: { status: 503, cooldown: 2 } }),
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

it('calls that hash a password wait for one another, and nobody else for them', async () => {
  const app = Fastify()
  takeTurns()(app)
  let underWay = 0
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const slowly = async () => {
    underWay++
    await isOpen
    return {}
  }
  app.post('/api/auth/login', slowly)
  app.post('/trpc/auth.resetPassword', slowly)
  app.post('/api/auth/refresh', async () => ({}))
  const post = (url: string) => app.inject({ method: 'POST', url })
  const all = Array.from({ length: 60 }, (_, turn) => post(turn % 2 ? '/api/auth/login' : '/trpc/auth.resetPassword'))
  await expect.poll(() => underWay).toBe(32)
  expect((await post('/api/auth/refresh')).statusCode).toBe(200)
  expect(underWay).toBe(32)
  open()
  for (const { statusCode } of await Promise.all(all)) expect(statusCode).toBe(200)
  expect(underWay).toBe(60)
})
