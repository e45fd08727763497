import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { addResponseTimeout } from './response-timeout.ts'

const app = Fastify()
afterEach(() => app.close())

it('a call that takes too long is answered 503 in time; it goes on, and its late answer harms nobody', async () => {
  let finished = 0
  const slowly = async (): Promise<object> => {
    await sleep(300)
    finished++
    return { late: true }
  }
  addResponseTimeout(app, 50)
  app.get('/returns', slowly)
  app.get('/sends', async (_request, reply) => {
    const late = await slowly()
    return reply.code(201).header('x-late', '1').send(late)
  })
  app.post('/throws', async () => {
    await slowly()
    throw new Error('too late')
  })
  app.get('/quick', async () => ({ quick: true }))

  const began = performance.now()
  const answers = await Promise.all([
    app.inject('/returns'),
    app.inject('/sends'),
    app.inject({ method: 'POST', url: '/throws', payload: { a: 1 } }),
  ])
  expect(performance.now() - began).toBeLessThan(290)
  for (const { statusCode, headers, body } of answers) {
    expect([statusCode, headers['retry-after'], headers['x-late']]).toEqual([503, '2', undefined])
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'UNAVAILABLE', cooldown: 2 })
  }
  expect((await app.inject('/quick')).json()).toEqual({ quick: true })
  await expect.poll(() => finished).toBe(3)
  expect((await app.inject('/quick')).statusCode).toBe(200)
})
