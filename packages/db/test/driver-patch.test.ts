// Fixes in the patch of postgres.js; docs/postgres-js-patch.md says which test covers which.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@community/testing'
import postgres from 'postgres'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '@community/testing/database'
import { type FaultyNetwork, openFaultyNetwork } from '@community/testing/database/faulty-network'

let network: FaultyNetwork
let sql: postgres.Sql
/** The closed connections of the current pool. */
let closed = { count: 0 }

const database = await createTestDatabase()
const admin = postgres(database.url, { max: 1 })
afterAll(async () => {
  await admin.end()
  await database.drop()
})
beforeEach(async () => {
  network = await openFaultyNetwork(Number(new URL(database.url).port))
  sql = connectionThroughNetwork()
})
afterEach(async () => {
  await sql.end({ timeout: 0 })
  network.close()
})

function connectionThroughNetwork(options: postgres.Options<never> = {}) {
  const url = new URL(database.url)
  url.port = String(network.port)
  const ownClosed = { count: 0 }
  closed = ownClosed
  return postgres(url.href, {
    max: 1,
    connect_timeout: 2,
    backoff: () => 0,
    onclose: () => ownClosed.count++,
    ...options,
  })
}
/** Waits until the driver has noticed that its connection was lost. */
const untilClosed = () => until('the driver closes its connection', () => closed.count > 0, 5000)
const selectOne = () => sql`select 1 as one`
const pidOf = async (client: postgres.ISql) =>
  (await client<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0
const terminate = async (pid: number) => {
  await admin`select pg_terminate_backend(${pid})`
  await until(
    'the backend ends',
    async () => (await admin`select from pg_stat_activity where pid = ${pid}`).length === 0,
  )
}
const untilSleeping = (pid: number) =>
  until('the backend sleeps', async () => {
    const sleeping = await admin`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`
    return sleeping.length > 0
  })

// Node emits a socket's 'error' in one phase of its event loop and 'close' in a later one.
const MOMENTS: [name: string, moment: () => Promise<unknown>][] = [
  ['as soon as its error is known', () => Promise.resolve()],
  ['just before it closes', () => new Promise((resolve) => setImmediate(resolve))],
]

describe('the next connection', () => {
  it.each(MOMENTS)('works after a statement was sent on a reset one %s', async (_, moment) => {
    await selectOne()
    network.onClientData = () => network.reset()
    await expect(selectOne().catch(() => moment().then(selectOne))).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    network.onClientData = () => {}
    for (let round = 0; round < 3; round++) expect(await selectOne()).toEqual([{ one: 1 }])
  })

  it('does not report the error that ended the one before', async () => {
    const pid = await pidOf(sql)
    const asleep = sql`select pg_sleep(3)`.catch((error: unknown) => error)
    await untilSleeping(pid)
    await terminate(pid)
    expect(await asleep).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await selectOne()).toEqual([{ one: 1 }])
  })

  it('returns only its own rows after one was lost in the middle of a response', async () => {
    await selectOne()
    network.onClientData = (_, { client, server }) => {
      server.removeAllListeners('data')
      server.once('data', (bytes) => client.end(bytes.subarray(0, 3000)))
    }
    await expect(sql`select * from generate_series(1, 2000)`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    network.onClientData = () => {}
    expect([...(await selectOne())]).toEqual([{ one: 1 }])
  })

  it('fails its first statement, not the process, when it is lost during the look-up of array types', async () => {
    network.onClientData = (text) => {
      if (text.includes('typarray')) network.reset()
    }
    await expect(selectOne()).rejects.toMatchObject({ code: 'ECONNRESET' })
    network.onClientData = () => {}
    expect(await selectOne()).toEqual([{ one: 1 }])
  })
})

it('a pipelined statement returns only its own rows after a failed one', async () => {
  await selectOne()
  const failing = sql`select 1 / (4 - n) from generate_series(1, 10) n`.catch((error: unknown) => error)
  const behind = sql`select 1 as one`.execute()
  expect(await failing).toMatchObject({ code: '22012' })
  expect([...(await behind)]).toEqual([{ one: 1 }])
})

describe('the pool ends at once', () => {
  const loseNextStatement = () => {
    network.onClientData = () => {
      network.onClientData = () => {}
      network.reset()
    }
  }
  const end = () => Promise.race([sql.end().then(() => 'ended'), sleep(1000, 'waiting')])

  it.each([['once its connection has closed', untilClosed], ...MOMENTS])(
    'after a lost statement, %s',
    async (_, moment) => {
      await selectOne()
      loseNextStatement()
      await expect(selectOne().catch(() => moment().then(end))).resolves.toBe('ended')
    },
  )

  it('after the statement that waited for the lost connection', async () => {
    sql = connectionThroughNetwork({ max_pipeline: 1 })
    await selectOne()
    loseNextStatement()
    const lost = selectOne().catch(end)
    const pipelined = selectOne().catch((error: { code: string }) => error.code)
    const waiting = selectOne().execute()
    expect([await lost, await pipelined]).toEqual(['ended', 'ECONNRESET'])
    expect([...(await waiting)]).toEqual([{ one: 1 }])
  })
})

describe('a transaction whose connection was lost', () => {
  it('rejects its waiting statements', async () => {
    let waiting: Promise<unknown>[] = []
    const attempt = sql.begin(async (tx) => {
      const pid = await pidOf(tx)
      // More than can be pipelined.
      waiting = Array.from({ length: 110 }, () => tx`select pg_sleep(1)`.catch((error: { code: string }) => error.code))
      await untilSleeping(pid)
      await terminate(pid)
      await Promise.all(waiting)
    })
    await expect(attempt).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['CONNECTION_CLOSED']))
  })

  it('runs no further statement, also not in the next transaction', async () => {
    await sql`create table ledger (entry text)`
    let signalSecondOpen: () => void = () => {}
    const secondOpened = new Promise<void>((resolve) => (signalSecondOpen = resolve))
    let late: unknown
    let first: Promise<unknown> = Promise.resolve()
    const lost = sql.begin(async (tx) => {
      await terminate(await pidOf(tx))
      first = secondOpened.then(async () => {
        late = await tx`insert into ledger values ('late')`.catch((error: unknown) => error)
      })
      await first
    })
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await sql.begin(async (tx) => {
      await tx`insert into ledger values ('second')`
      signalSecondOpen()
      await first
      // Behind whatever `first` may have sent on this connection.
      await tx`select 1`
    })
    expect(late).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await sql`select entry from ledger`).toEqual([{ entry: 'second' }])
  })
})

it('a finished transaction rejects a statement after its connection was lost', async () => {
  const { tx } = await sql.begin((tx) => ({ tx }))
  await sql.begin((tx) => tx`select 1`)
  await terminate(await pidOf(sql))
  await untilClosed()
  await expect(tx`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await selectOne()).toEqual([{ one: 1 }])
})

it.each([0, 1, 99, 100, 101])('a transaction gets its connection with %i statements ahead of it', async (count) => {
  await selectOne()
  const ahead = Array.from({ length: count }, () => selectOne().execute())
  const outcome = sql.begin((tx) => tx`select 2 as two`)
  expect([...(await outcome)]).toEqual([{ two: 2 }])
  await Promise.all(ahead)
  expect(await sql`select pg_current_xact_id_if_assigned() is null as free`).toEqual([{ free: true }])
})

it('prepares a statement without parameters with `prepare: true`', async () => {
  for (let run = 0; run < 2; run++) await sql.unsafe('select 1 as unparametered', [], { prepare: true })
  expect(
    await sql`select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where statement like '%unparametered'`,
  ).toEqual([{ runs: 2 }])
})

describe('withBegin', () => {
  /** How often the client sends. */
  const countSends = async (work: () => Promise<unknown>) => {
    let sends = 0
    network.onClientData = () => sends++
    await work()
    return sends
  }

  it('sends statements together with BEGIN; without it they wait for BEGIN', async () => {
    const begin = (isTogether: boolean) =>
      sql.begin(async (tx) => {
        const select = () => Promise.all([tx`select pg_backend_pid() as pid`, tx`select 1 as one`])
        const rows = await (isTogether ? tx.withBegin(select) : select())
        expect(rows[1]).toEqual([{ one: 1 }])
        expect(await tx`select 2 as two`).toEqual([{ two: 2 }])
      })
    // Prepares the statements.
    await begin(false)
    expect(await countSends(() => begin(false))).toBe(4)
    expect(await countSends(() => begin(true))).toBe(3)
  })

  it('sends nothing more after a BEGIN that failed, and the connection stays usable', async () => {
    await admin`create table written (id int)`
    const outcome = sql.begin('nonsense', async (tx) => {
      await tx.withBegin(() => tx`select 1`)
      await tx`insert into written values (1)`
    })
    await expect(outcome).rejects.toThrow('syntax error')
    await expect(sql.begin('nonsense', (tx) => tx`insert into written values (2)`)).rejects.toThrow('syntax error')
    expect(await sql`select id from written`).toEqual([])
    expect(await sql.begin((tx) => tx.withBegin(() => tx`select 2 as two`))).toEqual([{ two: 2 }])
    expect(closed.count).toBe(0)
  })

  it('rejects its statements when the connection is lost', async () => {
    await selectOne()
    const outcome = sql.begin((tx) => tx.withBegin(() => tx`select pg_sleep(60)`))
    // Looks for any sleeping backend: asking the transaction for its pid would be another statement.
    void until('the backend sleeps', async () => {
      const sleeping = await admin`select from pg_stat_activity where wait_event = 'PgSleep'`
      return sleeping.length > 0
    }).then(() => network.reset())
    await expect(outcome).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|CONNECTION_CLOSED/) })
    await untilClosed()
    expect(await selectOne()).toEqual([{ one: 1 }])
  })
})

describe('a statement whose plan a migration has made invalid', () => {
  beforeEach(async () => {
    await admin`create table measured (value int)`
    await admin`insert into measured values (1)`
    await selectValue()
    await admin`alter table measured alter value type text`
  })
  afterEach(() => admin`drop table measured`)
  const selectValue = (client: postgres.ISql = sql) => client`select * from measured where ${1} > 0`

  it('is made anew, and gets its own rows beside other statements', async () => {
    const end = network.begin({ delay: 30 })
    const remade = new Promise<void>((resolve) => {
      network.onClientData = (text) => text.includes('from measured') && resolve()
    })
    const rows = selectValue().execute()
    // Sent before the answer to the statement that is made anew.
    const others = await remade.then(() => Promise.all([sql`select 2 as two`, sql`select ${3}::int as three`]))
    end()
    expect([...(await rows)]).toEqual([{ value: '1' }])
    expect(others.map((other) => [...other])).toEqual([[{ two: 2 }], [{ three: 3 }]])
  })

  it('is made anew with the same parameters', async () => {
    const select = () => sql`select *, ${true}::boolean as wanted, ${new Date(0)}::timestamptz as at from measured`
    await select()
    await admin`alter table measured alter value type bigint using value::bigint`
    expect([...(await select())]).toEqual([{ value: '1', wanted: true, at: new Date(0) }])
  })

  it('fails with statements behind it, and does not run in the transaction of another caller', async () => {
    const [alone, inTransaction] = await Promise.allSettled([
      selectValue().execute(),
      sql.begin(async (tx) => [...(await tx`select pg_current_xact_id_if_assigned() is null as free`)]),
    ])
    expect(alone).toMatchObject({ status: 'rejected', reason: { code: '0A000' } })
    expect(inTransaction).toMatchObject({ status: 'fulfilled', value: [{ free: true }] })
    expect([...(await selectValue())]).toEqual([{ value: '1' }])
  })

  it('in a transaction fails it with its own error', async () => {
    const attempt = () => sql.begin((tx) => Promise.all([selectValue(tx), tx`select 1 as one`]))
    await expect(attempt()).rejects.toMatchObject({ code: '0A000' })
    expect([...(await attempt())[0]]).toEqual([{ value: '1' }])
  })
})

describe('with answer_timeout', () => {
  beforeEach(() => {
    sql = connectionThroughNetwork({ answer_timeout: 0.4 })
  })

  it('pipelined statements have the full timeout each', async () => {
    await selectOne()
    const slow = Array.from({ length: 4 }, () => sql`select pg_sleep(0.2)`.execute())
    expect(await Promise.allSettled(slow)).toMatchObject(slow.map(() => ({ status: 'fulfilled' })))
  })

  it('an idle connection stays open', async () => {
    const pid = await pidOf(sql)
    // That nothing happens for longer than the timeout is the behaviour under test.
    await sleep(600)
    expect(await pidOf(sql)).toBe(pid)
  })

  it('a connection that was lost has no timer left', async () => {
    await selectOne()
    network.onClientData = () => network.reset()
    await expect(selectOne()).rejects.toMatchObject({ code: 'ECONNRESET' })
    network.onClientData = () => {}
    // A timer that is left would throw an uncaught TypeError after 400 ms, which fails the run.
    await sleep(600)
    expect(await selectOne()).toEqual([{ one: 1 }])
  })
})
