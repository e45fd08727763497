import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connect, DatabaseUnavailable, inTransaction, isDatabaseUnavailable } from '../src/index.ts'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { type FaultyNetwork, openFaultyNetwork } from '@community/testing/database/faulty-network'

/** Two seconds for a free connection, two for opening it. */
const WAIT_MS = 4000
/** On an open connection to a silent server: four seconds, plus slack for a busy machine. */
const SILENCE_MS = 6000

let server: FaultyPostgres
let network: FaultyNetwork
const opened: Connection[] = []

beforeAll(async () => {
  server = await startFaultyPostgres()
  const { sql: query, close } = connect(server.url, { max: 1 })
  await query`create table notes (text text not null)`
  await close()
})
afterAll(() => server.remove())

beforeEach(async () => {
  network = await openFaultyNetwork(server.port)
})
afterEach(async () => {
  network.close()
  await Promise.all(opened.splice(0).map(({ close }) => close()))
})

/** A pool that reaches the server through the faulty network. */
function connectionOf(max: number) {
  const url = new URL(server.url)
  url.port = String(network.port)
  const connection = connect(url.href, { max })
  opened.push(connection)
  return connection
}
const pool = (max: number) => connectionOf(max).db
type Pool = ReturnType<typeof pool>

const ping = (db: Pool) => db.execute(sql`select 1`)

async function outcomeOf(work: Promise<unknown>) {
  const startedAt = Date.now()
  const outcome = await work.then(
    () => 'done' as const,
    (error: unknown) => (isDatabaseUnavailable(error) ? ('unavailable' as const) : error),
  )
  return { outcome, took: Date.now() - startedAt }
}
const expectUnavailable = async (work: Promise<unknown>, within: number) => {
  const { outcome, took } = await outcomeOf(work)
  expect(outcome).toBe('unavailable')
  expect(took).toBeLessThan(within)
}

async function expectServedAgain(db: Pool) {
  const startedAt = Date.now()
  while ((await outcomeOf(ping(db))).outcome !== 'done') expect(Date.now() - startedAt).toBeLessThan(5000)
}

describe('a connection that is reset', () => {
  it('fails its transaction at once and works again afterwards', async () => {
    const db = pool(1)
    const attempt = inTransaction(db, async (tx) => {
      network.onClientData = () => network.reset()
      await tx.execute(sql`select 1`).catch(() => tx.execute(sql`insert into notes values ('lost')`))
    })
    await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailable)
    network.onClientData = () => {}
    for (let round = 0; round < 3; round++) expect(await outcomeOf(ping(db))).toMatchObject({ outcome: 'done' })
    expect(await db.execute(sql`select 1 from notes where text = 'lost'`)).toHaveLength(0)
  })

  it.each([1, 4])('leaves no immediately retried read waiting on a pool of %i', async (max) => {
    const db = pool(max)
    const end = Date.now() + 600
    const last = Array.from({ length: 6 }, async () => {
      while (Date.now() < end) expect((await outcomeOf(ping(db))).outcome).toBeTypeOf('string')
      return outcomeOf(ping(db))
    })
    while (Date.now() < end) {
      await sleep(60)
      network.reset()
    }
    for (const { took } of await Promise.all(last)) expect(took).toBeLessThan(WAIT_MS)
    // The last reset may be detected only now.
    await expectServedAgain(db)
  })
})

describe('the wait for a connection', () => {
  it('ends after two seconds, and rejected statements never run', async () => {
    const db = pool(1)
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const holder = inTransaction(db, async (tx) => {
      await tx.execute(sql`select 1`)
      await released
    })
    await Promise.all([
      expectUnavailable(ping(db), WAIT_MS),
      expectUnavailable(db.execute(sql`insert into notes values ('read')`), WAIT_MS),
      expectUnavailable(
        inTransaction(db, (tx) => tx.execute(sql`insert into notes values ('written')`)),
        WAIT_MS,
      ),
    ])
    release()
    await holder
    expect(await db.execute(sql`select 1 from notes where text in ('read', 'written')`)).toHaveLength(0)
  })

  it('takes no longer behind many slow statements', async () => {
    const { sql: query } = connectionOf(1)
    const runSlowStatement = () => query.unsafe('select pg_sleep($1)', [0.5], { prepare: true }).execute()
    await runSlowStatement()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(runSlowStatement())))
    expect(outcomes.filter(({ outcome }) => outcome === 'done')).toHaveLength(5)
    for (const { outcome, took } of outcomes) if (outcome === 'unavailable') expect(took).toBeLessThan(WAIT_MS)
  })

  it('takes no longer when the server is down and hundreds wait', async () => {
    const db = pool(4)
    await ping(db)
    await server.stop()
    try {
      await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          expectUnavailable(index % 2 ? ping(db) : inTransaction(db, (tx) => tx.execute(sql`select 1`)), WAIT_MS),
        ),
      )
    } finally {
      await server.start()
    }
    await expectServedAgain(db)
  })

  it('ends when the other side hangs up on every connection', async () => {
    const db = pool(1)
    network.isRefusing = true
    await expectUnavailable(ping(db), WAIT_MS)
    network.isRefusing = false
    expect(await outcomeOf(ping(db))).toMatchObject({ outcome: 'done' })
  })
})

describe('a transaction that begins on a connection with statements ahead of it', () => {
  it.each([0, 1, 2, 3, 4, 5, 6])('is rolled back completely and alone: %i ahead', async (count) => {
    const { sql: query } = connectionOf(1)
    const read = () => query.unsafe('select $1::int', [1], { prepare: true }).execute()
    await read()
    const ahead = Array.from({ length: count }, read)
    const undone = query.begin(async (tx) => {
      await tx`insert into notes values ('undone')`
      throw new Error('undo it')
    })
    const behind = query`insert into notes values (${`behind ${count}`})`.execute()
    await expect(undone).rejects.toThrow('undo it')
    await Promise.all([...ahead, behind])
    expect(await query`select 1 from notes where text = 'undone'`).toHaveLength(0)
    expect(await query`select 1 from notes where text = ${`behind ${count}`}`).toHaveLength(1)
  })
})

describe('a server that does not respond', () => {
  it('times out after four seconds and works again when it is back', async () => {
    const db = pool(2)
    await Promise.all([ping(db), ping(db)])
    network.isSilent = true
    await Promise.all([
      expectUnavailable(ping(db), SILENCE_MS),
      expectUnavailable(
        inTransaction(db, (tx) => tx.execute(sql`select 1`)),
        SILENCE_MS,
      ),
    ])
    // New connections are silent too.
    await expectUnavailable(ping(db), SILENCE_MS)
    network.isSilent = false
    await expectServedAgain(db)
  })
})

describe('the response to COMMIT', () => {
  it('throws DatabaseUnavailable when lost and does not retry the transaction', async () => {
    const db = pool(1)
    network.onClientData = (text, { client, server: upstream }) => {
      if (!text.includes('commit')) return
      // The server executes it, but the client gets no response.
      upstream.removeAllListeners('data')
      upstream.once('data', () => client.resetAndDestroy())
    }
    let runs = 0
    const attempt = inTransaction(db, async (tx) => {
      runs++
      await tx.execute(sql`insert into notes values ('stored')`)
    })
    await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(runs).toBe(1)
    network.onClientData = () => {}
    expect(await db.execute(sql`select 1 from notes where text = 'stored'`)).toHaveLength(1)
  })
})
