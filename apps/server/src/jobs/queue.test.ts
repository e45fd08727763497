import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, inTransaction } from '@community/db'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { createSecret } from '../auth/secret.ts'
import { claim, enqueue, type NewJob } from './queue.ts'
import { JobFailure, type JobHandlers } from './job-handler.ts'
import { startWorker } from './worker.ts'

const secret = createSecret(randomBytes(32))
const log = pino({ level: 'silent' })

const fixture = await openFixture()
beforeEach(() => fixture.sql`delete from jobs`)
afterAll(() => fixture.close())

const start = (handlers: JobHandlers, db: Db = fixture.db) => startWorker({ db, secret, log }, handlers)
const add = (...jobs: NewJob[]) =>
  inTransaction(fixture.db, async (tx) => {
    for (const job of jobs) await enqueue(tx, { secret }, job)
  })
const rows = () =>
  fixture.sql`select *, extract(epoch from available_at - now())::float as wait from jobs order by kind`
const statuses = async () => (await rows()).map(({ kind, status }) => `${kind} ${status}`)

it('passes each job with its payload to the handler of its kind, and does not claim kinds of a newer version', async () => {
  const ran: unknown[] = []
  const handler = (kind: string) => ({
    lease: 60,
    run: async (_job: unknown, payload: unknown) => void ran.push([kind, payload]),
  })
  await add(
    { kind: 'hologram', payload: { of: 'a later version' } },
    { kind: 'picture', payload: { id: 1 } },
    { kind: 'webhook', payload: ['x'] },
  )
  const worker = start({ picture: handler('picture'), webhook: handler('webhook') })
  await expect.poll(statuses).toEqual(['hologram pending', 'picture done', 'webhook done'])
  await worker.stop()
  expect(ran).toHaveLength(2)
  expect(ran).toEqual(
    expect.arrayContaining([
      ['picture', { id: 1 }],
      ['webhook', ['x']],
    ]),
  )
  expect((await rows())[0]).toMatchObject({ kind: 'hologram', attempts: 0, lease_until: null, last_error: null })
})

it('runs a recurring job once for all processes, and again when it is due', async () => {
  let runs = 0
  const handlers: JobHandlers = {
    cleanup: { lease: 60, every: 600, run: async () => void runs++ },
    marker: { lease: 60, run: async () => {} },
  }
  const workers = [fixture.db, fixture.openPool().db].map((db) => start(handlers, db))
  await expect.poll(async () => (await rows())[0]?.['wait']).toBeGreaterThan(590)
  expect(await rows()).toMatchObject([{ kind: 'cleanup', key: 'cleanup', status: 'pending', attempts: 0 }])
  await add({ kind: 'marker', payload: {} })
  for (const worker of workers) worker.wake()
  await expect.poll(statuses).toContain('marker done')
  expect(runs).toBe(1)
  await fixture.clock.makeJobsDue({ kind: 'cleanup' })
  await expect.poll(() => runs).toBe(2)
  await Promise.all(workers.map((worker) => worker.stop()))
  expect(runs).toBe(2)
})

it('always retries a recurring job that failed or was cut off', async () => {
  const run = () => Promise.reject(new Error('not today'))
  const handlers: JobHandlers = { cleanup: { lease: 60, every: 600, run } }
  await fixture.sql`insert into jobs (kind, key, payload, attempts) values ('cleanup', 'cleanup', '', 30)`
  const worker = start(handlers)
  await expect.poll(async () => (await rows())[0]?.['last_error']).toBe('not today')
  await worker.stop()
  expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0, lease_until: null }])
})

it('reports the outcome of each run of a recurring job, and of no other', async () => {
  const outcomes: [kind: string, error: string | null][] = []
  const run = () => Promise.reject(new Error('not today'))
  await add({ kind: 'marker', payload: {} })
  const handlers: JobHandlers = {
    cleanup: { lease: 60, every: 600, run: async () => {} },
    digests: { lease: 60, every: 600, run },
    marker: { lease: 60, run: async () => {} },
  }
  const worker = startWorker({ db: fixture.db, secret, log }, handlers, {
    onRecurringRun: (kind, error) => void outcomes.push([kind, error]),
  })
  await expect.poll(statuses).toContain('marker done')
  await expect.poll(() => outcomes.length).toBe(2)
  await worker.stop()
  expect(outcomes).toHaveLength(2)
  expect(Object.fromEntries(outcomes)).toEqual({ cleanup: null, digests: 'not today' })
})

it('does not claim a kind before its start delay', async () => {
  const run = async () => {}
  const worker = start({ cleanup: { lease: 60, startDelay: 60, run }, marker: { lease: 60, run } })
  await add({ kind: 'cleanup', payload: {} }, { kind: 'marker', payload: {} })
  worker.wake()
  await expect.poll(statuses).toContain('marker done')
  await worker.stop()
  expect(await statuses()).toContain('cleanup pending')
})

it('runs other jobs during a long one, and waits for it when it stops', async () => {
  let finish = () => {}
  const slow = new Promise<void>((resolve) => (finish = resolve))
  await add({ kind: 'slow', payload: {} }, ...Array.from({ length: 12 }, () => ({ kind: 'quick', payload: {} })))
  const worker = start({ slow: { lease: 60, run: () => slow }, quick: { lease: 60, run: async () => {} } })
  await expect.poll(async () => (await statuses()).filter((status) => status === 'quick done').length).toBe(12)
  const stopping = worker.stop()
  finish()
  await stopping
  expect((await statuses()).at(-1)).toBe('slow done')
})

it('does not retry a permanent failure, and keeps its payload for a manual retry', async () => {
  await add({ kind: 'webhook', payload: { id: 7 } })
  const run = () => Promise.reject(new JobFailure('gone', 'permanent'))
  const worker = start({ webhook: { lease: 60, run } })
  await expect.poll(statuses).toEqual(['webhook dead'])
  await worker.stop()
  const [row] = await rows()
  expect(row).toMatchObject({ last_error: 'gone', attempts: 1 })
  expect(JSON.parse(secret.unseal(row?.['payload']))).toEqual({ id: 7 })
})

it('runs one job at a time of a kind with concurrency 1', async () => {
  const exclusive = { running: 0, most: 0, runs: 0 }
  const run = async () => {
    exclusive.most = Math.max(exclusive.most, ++exclusive.running)
    await sleep(20)
    exclusive.running--
    exclusive.runs++
  }
  const kinds = [...Array<string>(6).fill('heavy'), ...Array<string>(6).fill('quick')]
  await add(...kinds.map((kind) => ({ kind, payload: {} })))
  const worker = start({ heavy: { lease: 60, concurrency: 1, run }, quick: { lease: 60, run: async () => {} } })
  await expect.poll(async () => (await statuses()).every((status) => status.endsWith('done'))).toBe(true)
  await worker.stop()
  expect(exclusive).toEqual({ running: 0, most: 1, runs: 6 })
})

it('does not add a second job with the same key', async () => {
  await add({ kind: 'picture', key: 'picture:1', payload: 1 }, { kind: 'picture', key: 'picture:1', payload: 2 })
  expect(await rows()).toHaveLength(1)
})

it('stores and logs no query parameters of an error', async () => {
  const lines: string[] = []
  const run = async () => void (await fixture.db.execute(sql`select ${'sentinel@example.ma'}::int`))
  const observed = { db: fixture.db, secret, log: pino({}, { write: (line) => void lines.push(line) }) }
  await add({ kind: 'picture', payload: {} })
  const worker = startWorker(observed, { picture: { lease: 60, retryDelays: [], run } })
  await expect.poll(statuses).toEqual(['picture dead'])
  await worker.stop()
  expect((await rows())[0]?.['last_error']).toBe('Failed query: select $1::int')
  expect(lines.join()).toContain('a job failed')
  expect(lines.join()).not.toContain('sentinel')
})

it('gives up a job that was sealed with another APP_SECRET, and says so', async () => {
  const reasons: string[] = []
  const otherSecret = createSecret(randomBytes(32))
  await inTransaction(fixture.db, (tx) => enqueue(tx, { secret: otherSecret }, { kind: 'picture', payload: {} }))
  const onDead = async (_job: unknown, reason: string) => void reasons.push(reason)
  const worker = start({ picture: { lease: 60, run: async () => {}, onDead } })
  await expect.poll(statuses).toEqual(['picture dead'])
  await worker.stop()
  const reason = 'the job cannot be read: APP_SECRET has changed'
  expect(reasons).toEqual([reason])
  expect((await rows())[0]).toMatchObject({ attempts: 1, last_error: reason })
})

it('claims the oldest due jobs without reading a backlog', async () => {
  const pool = fixture.openDirectPool({ max: 1, hasAnswerTimeout: false })
  await pool.sql`set statement_timeout = 0`
  await add({ kind: 'digests', payload: {} }, { kind: 'picture', payload: {} })
  await pool.sql`insert into jobs (kind, payload) select 'webhook', '' from generate_series(1, 100000)`
  const sent: [statement: string, values: never[]][] = []
  const debug = (_connection: number, statement: string, values: never[]) => sent.push([statement, values])
  Object.assign(pool.sql.options, { debug })
  const leases = { digests: 60, picture: 60, webhook: 60 }
  const limits = [
    { kinds: ['cleanup', 'digests', 'picture', 'webhook'], max: 5 },
    { kinds: ['recount'], max: 1 },
  ]
  const claimed = await inTransaction(pool.db, (tx) => claim(tx, leases, limits))
  const kinds = ['digests', 'picture', 'webhook', 'webhook', 'webhook']
  expect(claimed.map(({ kind }) => kind).toSorted()).toEqual(kinds)
  const [statement = '', values = []] = sent.find(([text]) => text.startsWith('update')) ?? []
  const explain = async () =>
    JSON.stringify(await pool.sql.unsafe(`explain (analyze, timing off, format json) ${statement}`, values))
  const planned = await explain()
  // With statistics, the planner expects to find a job of the most frequent kind soon, in any index.
  await pool.sql`analyze jobs`
  for (const plan of [planned, await explain()]) {
    expect(plan).toContain('"Index Name":"jobs_due_of_kind"')
    expect(plan).not.toMatch(/Seq Scan|"(Actual Rows|Rows Removed by Filter)":\d{3}/)
  }
}, 30_000)
