import { appErrors } from '@community/contract'
import { expect, it } from 'vitest'
import { toFailure } from './failure.ts'
import { createConcurrencyLimiter, type Lease } from './concurrency-limit.ts'

const BUSY = { status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } }
const OVER_SHARE = { status: 429, body: { code: 'TOO_MANY_REQUESTS', cooldown: 2 } }

const releaseAll = (leases: Lease[]) => {
  for (const { release } of leases) release()
}

it('refuses with 503 what waited in vain for units that everybody shares', async () => {
  const { acquire } = createConcurrencyLimiter({ max: 2, maxWaitMs: 50 })
  const [first, second] = [await acquire('a'), await acquire('b')]
  expect(await acquire('c').catch(toFailure)).toMatchObject(BUSY)

  const fourth = acquire('c')
  first.release()
  // Released twice is released once.
  first.release()
  const held = [await fourth, second]
  await expect(acquire('d')).rejects.toThrow()
  releaseAll(held)
  await Promise.all([acquire('a'), acquire('b')])
})

it('lets others go on while a client waits for its own share, and refuses it with 429', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 2, max: 4, maxWaitMs: 50 })
  const held = [await acquire('a'), await acquire('a')]
  const third = acquire('a').catch(toFailure)
  held.push(await acquire('b'))
  expect(await third).toMatchObject(OVER_SHARE)
  releaseAll(held)
  releaseAll(await Promise.all([acquire('a'), acquire('a'), acquire('b'), acquire('b')]))
})

it('says what the caller wants said of a share that is used up', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 1, max: 4, maxWaitMs: 10, ownFault: appErrors.unavailable })
  await acquire('a')
  expect(await acquire('a').catch(toFailure)).toMatchObject(BUSY)
})

it('serves waiting clients in turn, however many requests one of them sent before', async () => {
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

it('counts a request by its units, never more than a client may have', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 4, max: 8, maxWaitMs: 30 })
  const batch = await acquire('a', { units: 10 })
  expect(batch.units).toBe(4)
  await expect(acquire('a')).rejects.toThrow()
  const [three, two] = [await acquire('b', { units: 3 }), acquire('b', { units: 2 })]
  await expect(two).rejects.toThrow()
  releaseAll([batch, three])
  expect((await acquire('b', { units: 4 })).units).toBe(4)
})

it('does not let small requests overtake a batch that waits for units of all', async () => {
  const { acquire } = createConcurrencyLimiter({ perClient: 4, max: 4 })
  const held = [await acquire('a'), await acquire('b')]
  const order: string[] = []
  const batch = acquire('c', { units: 4 }).then((lease) => (order.push('batch'), lease))
  const small = acquire('a', { units: 3 }).then((lease) => (order.push('small'), lease))
  releaseAll(held)
  releaseAll([await batch])
  releaseAll([await small])
  expect(order).toEqual(['batch', 'small'])
})

it('forgets a request whose sender hung up, and serves the next', async () => {
  const { acquire } = createConcurrencyLimiter({ max: 1 })
  const held = await acquire('a')
  let hangUp = () => {}
  const gone = acquire('a', { whenGone: (leave) => (hangUp = leave) })
  const next = acquire('a')
  hangUp()
  await expect(gone).rejects.toThrow()
  held.release()
  releaseAll([await next])
  // Too late to matter.
  hangUp()
  await acquire('b')
})

it.each([
  // Of 200 units fifty are reserved; the others are halved by each client that asks for all it gets.
  [4, { a0: 50, a1: 50, a2: 25, a3: 13 }],
  [1, { a0: 50 }],
])('keeps reserved units for others, however many %i clients ask for', async (clients, expected) => {
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
