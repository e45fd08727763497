import { appErrors } from '@community/contract'
import { expect, it } from 'vitest'
import { toFailure } from './failure.ts'
import { createConcurrencyLimiter, type Lease } from './concurrency-limit.ts'

const BUSY = { status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } }
const OVER_CLIENT_LIMIT = { status: 429, body: { code: 'TOO_MANY_REQUESTS', cooldown: 2 } }

const releaseAll = (leases: Lease[]) => {
  for (const { release } of leases) release()
}

it('throws 503 when the total limit is reached for the whole wait', async () => {
  const { acquire } = createConcurrencyLimiter({ max: 2, maxWaitMs: 50 })
  const [first, second] = [await acquire('a'), await acquire('b')]
  expect(await acquire('c').catch(toFailure)).toMatchObject(BUSY)

  const fourth = acquire('c')
  first.release()
  // Releasing twice has no effect.
  first.release()
  const leases = [await fourth, second]
  await expect(acquire('d')).rejects.toThrow()
  releaseAll(leases)
  await Promise.all([acquire('a'), acquire('b')])
})

it('throws 429 at the client limit without delaying other clients', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 2, max: 4, maxWaitMs: 50 })
  const leases = [await acquire('a'), await acquire('a')]
  const third = acquire('a').catch(toFailure)
  leases.push(await acquire('b'))
  expect(await third).toMatchObject(OVER_CLIENT_LIMIT)
  releaseAll(leases)
  releaseAll(await Promise.all([acquire('a'), acquire('a'), acquire('b'), acquire('b')]))
})

it('throws the given error at the client limit', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 1, max: 4, maxWaitMs: 10, ownError: appErrors.unavailable })
  await acquire('a')
  expect(await acquire('a').catch(toFailure)).toMatchObject(BUSY)
})

it('serves waiting clients round-robin', async () => {
  const { acquire } = createConcurrencyLimiter({ max: 1 })
  const order: string[] = []
  const work = async (client: string) => {
    const { release } = await acquire(client)
    order.push(client)
    await Promise.resolve()
    release()
  }
  const first = await acquire('x')
  const all = [...Array.from({ length: 5 }, () => work('a')), work('b'), work('c')]
  first.release()
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'a', 'a'])
})

it('caps the units of a request at the client limit', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 4, max: 8, maxWaitMs: 30 })
  const batch = await acquire('a', { units: 10 })
  expect(batch.units).toBe(4)
  await expect(acquire('a')).rejects.toThrow()
  const [three, two] = [await acquire('b', { units: 3 }), acquire('b', { units: 2 })]
  await expect(two).rejects.toThrow()
  releaseAll([batch, three])
  expect((await acquire('b', { units: 4 })).units).toBe(4)
})

it('does not let small requests overtake a waiting batch', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 4, max: 4 })
  const leases = [await acquire('a'), await acquire('b')]
  const order: string[] = []
  const batch = acquire('c', { units: 4 }).then((lease) => (order.push('batch'), lease))
  const small = acquire('a', { units: 3 }).then((lease) => (order.push('small'), lease))
  releaseAll(leases)
  releaseAll([await batch])
  releaseAll([await small])
  expect(order).toEqual(['batch', 'small'])
})

it('drops a cancelled request and serves the next', async () => {
  const { acquire } = createConcurrencyLimiter({ max: 1 })
  const lease = await acquire('a')
  let cancel = () => {}
  const cancelled = acquire('a', { whenGone: (leave) => (cancel = leave) })
  const next = acquire('a')
  cancel()
  await expect(cancelled).rejects.toThrow()
  lease.release()
  releaseAll([await next])
  // Cancelling again has no effect.
  cancel()
  await acquire('b')
})

it.each([
  // 50 of 200 units are reserved; each client gets at most as many of the rest as it leaves free.
  [4, { a0: 50, a1: 50, a2: 25, a3: 13 }],
  [1, { a0: 50 }],
])('keeps reserved units free of %i busy clients', async (clients, expected) => {
  const { acquire } = createConcurrencyLimiter({ max: 200, perClient: 50, reserved: 50, maxWaitMs: 20 })
  const counts: Record<string, number> = {}
  const take = (client: string) =>
    acquire(client).then(
      () => (counts[client] = (counts[client] ?? 0) + 1),
      () => {},
    )
  await Promise.all(
    Array.from({ length: clients }, (_, number) => Array.from({ length: 60 }, () => take(`a${number}`))).flat(),
  )
  expect(counts).toEqual(expected)
  for (let number = 0; number < 50; number++) await acquire(`b${number}`)
})
