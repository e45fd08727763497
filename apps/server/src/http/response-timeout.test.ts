import Fastify, { type FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addResponseTimeout } from './response-timeout.ts'

let app: FastifyInstance
beforeEach(() => {
  app = Fastify()
})
afterEach(() => app.close())

it('responds 503 to a handler that takes too long, and ignores its late response', async () => {
  let finished = 0
  let finish = () => {}
  const mayFinish = new Promise<void>((resolve) => (finish = resolve))
  const runSlowly = async (): Promise<object> => {
    await mayFinish
    finished++
    return { late: true }
  }
  addResponseTimeout(app, 50)
  app.get('/returns', runSlowly)
  app.get('/sends', async (_request, reply) => {
    const late = await runSlowly()
    return reply.code(201).header('x-late', '1').send(late)
  })
  app.post('/throws', async () => {
    await runSlowly()
    throw new Error('too late')
  })
  app.get('/quick', async () => ({ quick: true }))

  const responses = await Promise.all([
    app.inject('/returns'),
    app.inject('/sends'),
    app.inject({ method: 'POST', url: '/throws', payload: { a: 1 } }),
  ])
  for (const { statusCode, headers, body } of responses) {
    expect([statusCode, headers['retry-after'], headers['x-late']]).toEqual([503, '2', undefined])
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'UNAVAILABLE', cooldown: 2 })
  }
  expect((await app.inject('/quick')).json()).toEqual({ quick: true })
  expect(finished).toBe(0)
  finish()
  await expect.poll(() => finished).toBe(3)
  expect((await app.inject('/quick')).statusCode).toBe(200)
})

it('does not interrupt a download that takes longer', async () => {
  addResponseTimeout(app, 50)
  async function* chunks() {
    for (const letter of 'abc') {
      yield letter
      // Its 503 shows that the whole timeout has passed.
      await app.inject('/never')
    }
  }
  app.get('/never', () => new Promise(() => {}))
  app.get('/download', (_request, reply) => reply.send(Readable.from(chunks())))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  expect(await (await fetch(`${address}/download`)).text()).toBe('abc')
})
