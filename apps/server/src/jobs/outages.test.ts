import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, inTransaction } from '@community/db'
import { times } from '@community/testing'
import pino from 'pino'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { createSecret } from '../auth/secret.ts'
import type { Deps } from '../context.ts'
import { createJobHandlers } from './handlers.ts'
import { trackOutages } from './outages.ts'
import { enqueue, type NewJob } from './queue.ts'
import { JobFailure, type JobHandlers } from './job-handler.ts'
import { startWorker, type Worker } from './worker.ts'

const secret = createSecret(randomBytes(32))
const log = pino({ level: 'silent' })

const fixture = await openFixture()
beforeEach(() => fixture.sql`delete from jobs`)
afterAll(() => fixture.close())

const PROBE_SECONDS = 0.5
const start = (handlers: JobHandlers, db: Db = fixture.db) =>
  startWorker({ db, secret, log }, handlers, { probeSeconds: PROBE_SECONDS })
const add = (...jobs: NewJob[]) =>
  inTransaction(fixture.db, async (tx) => {
    for (const job of jobs) await enqueue(tx, { secret }, job)
  })
const letters = (count: number): NewJob[] => times(count, (number) => ({ kind: 'letter', payload: number }))
const pendingCount = async () => {
  const [row] = await fixture.sql`select count(*)::int as count from jobs where status = 'pending'`
  return row?.['count'] as number
}
/** Wakes a worker in a loop, as new jobs would. */
async function wakeFor(ms: number, ...workers: Worker[]) {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20))
    for (const worker of workers) worker.wake()
}

/** A service that rejects and records jobs while it is away, and records those it has done. */
function createService() {
  const service = { isAway: true, rejected: [] as unknown[], done: [] as unknown[] }
  const run = async (_job: unknown, payload: unknown) => {
    ;(service.isAway ? service.rejected : service.done).push(payload)
    if (service.isAway) throw new JobFailure('connect ECONNREFUSED', 'unavailable')
  }
  return { service, handler: { lease: 60, run } }
}

/** The payloads of the probes in 2.2 s, of which there must be one per interval, after the first `count` jobs were rejected. */
async function findProbes({ rejected }: { rejected: unknown[] }, worker: Worker, count: number): Promise<unknown[]> {
  await expect.poll(() => rejected.length).toBeGreaterThanOrEqual(count)
  const before = rejected.length
  await wakeFor(2200, worker)
  const probes = rejected.slice(before)
  expect(probes.length).toBeGreaterThanOrEqual(2)
  expect(probes.length).toBeLessThanOrEqual(5)
  return probes
}

describe('jobs whose service is unavailable', () => {
  it('probe it one at a time, each another job, and run once each when it is back', async () => {
    const { service, handler } = createService()
    await add(...letters(40))
    const worker = start({ letter: handler })
    const probes = await findProbes(service, worker, 5)
    expect(new Set(probes).size).toBe(probes.length)
    // While a probe runs, its own attempt is counted.
    const changed = () => fixture.sql`select 1 from jobs where status <> 'pending' or attempts > 0`
    await expect.poll(changed).toHaveLength(0)

    service.isAway = false
    await expect.poll(pendingCount).toBe(0)
    await worker.stop()
    expect(service.done.toSorted((a, b) => Number(a) - Number(b))).toEqual(times(40, (number) => number))
  })

  it('probe it one at a time together with the jobs of other kinds that require it', async () => {
    const { service, handler } = createService()
    const kinds = ['letter', 'parcel', 'card']
    await add(...kinds.flatMap((kind) => times(10, (number) => ({ kind, payload: `${kind} ${number}` }))))
    const handlers = kinds.map((kind) => [kind, { ...handler, service: 'post', concurrency: 2 }])
    const worker = start(Object.fromEntries(handlers))
    await findProbes(service, worker, 6)
    service.isAway = false
    await expect.poll(pendingCount).toBe(0)
    await worker.stop()
    expect(service.done).toHaveLength(30)
  })

  it('all require the mail server if they send mails', () => {
    const handlers = createJobHandlers({ db: fixture.db } as Deps, { stopping: new AbortController().signal })
    const kinds = Object.keys(handlers).filter((kind) => handlers[kind]?.service === 'mail')
    expect(kinds).toEqual(['mail', 'notification-mail', 'notification-digest'])
  })

  it('do not hold up jobs of other kinds', async () => {
    const { service, handler } = createService()
    await add(...letters(20))
    let isDone = false
    const worker = start({ letter: handler, picture: { lease: 60, run: async () => void (isDone = true) } })
    await expect.poll(() => service.rejected.length).toBeGreaterThanOrEqual(5)
    await add({ kind: 'picture', payload: {} })
    worker.wake()
    await expect.poll(() => isDone).toBe(true)
    await worker.stop()
    expect(service.done).toEqual([])
  })

  it('run once each although several processes probe', async () => {
    const { service, handler } = createService()
    await add(...letters(60))
    const workers = [fixture.db, fixture.openPool().db, fixture.openPool().db].map((db) =>
      start({ letter: handler }, db),
    )
    await expect.poll(() => service.rejected.length).toBeGreaterThanOrEqual(15)
    service.isAway = false
    await expect.poll(pendingCount).toBe(0)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(service.done).toHaveLength(60)
    expect(new Set(service.done).size).toBe(60)
  })

  it('do not wait behind expired ones', async () => {
    const { service, handler } = createService()
    const expired = letters(30).map((job) => ({ ...job, ttl: 1 }))
    await add({ kind: 'letter', payload: 'first' })
    const worker = start({ letter: handler })
    await expect.poll(() => service.rejected.length).toBe(1)
    await add(...expired, { kind: 'letter', payload: 'last' })
    await fixture.clock.expireJobs()
    service.isAway = false
    await expect.poll(pendingCount).toBe(0)
    await worker.stop()
    expect(new Set(service.done)).toEqual(new Set(['first', 'last']))
    expect(await fixture.sql`select 1 from jobs where status = 'dead'`).toHaveLength(30)
  })

  it('are not held up by a single one that always fails, which is never dead', async () => {
    const done: unknown[] = []
    const run = async (_job: unknown, payload: unknown) => {
      if (payload === 0) throw new JobFailure('no such bucket', 'unavailable')
      done.push(payload)
    }
    await add(...letters(20))
    const worker = start({ letter: { lease: 60, run } })
    await expect.poll(pendingCount).toBe(1)
    await wakeFor(1200, worker)
    await add({ kind: 'letter', payload: 'new' })
    await expect.poll(() => done).toContain('new')
    await worker.stop()
    expect(done).toHaveLength(20)
    expect(await fixture.sql`select attempts, status from jobs where status <> 'done'`).toEqual([
      { attempts: 0, status: 'pending' },
    ])
  })

  it.each(['permanent', 'temporary'] as const)(
    'are due again once the service answers with a %s failure',
    async (type) => {
      const { service, handler } = createService()
      await add(...letters(12))
      const run = async (job: unknown, payload: unknown) => {
        await handler.run(job, payload)
        throw new JobFailure('mailbox full', type)
      }
      const worker = start({ letter: { lease: 60, run } })
      await expect.poll(() => service.rejected.length).toBeGreaterThanOrEqual(5)
      service.isAway = false
      await expect.poll(() => service.done.length).toBe(12)
      await worker.stop()
    },
  )
})

it('does not take a failure for an outage if its job started before the service’s last answer', () => {
  const outages = trackOutages(5)
  const before = performance.now()
  outages.recordResponse('letter')
  outages.recordFailure('letter', before)
  expect(outages.has('letter')).toBe(false)
  outages.recordFailure('letter', performance.now() + 1)
  expect([outages.has('letter'), outages.isProbeDue('letter')]).toEqual([true, false])
})
