import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, inTransaction, isDatabaseUnavailable } from '../src/index.ts'
import { rounds, until } from '@community/testing'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'

const KILLS = Number(process.env.FAULT_KILLS ?? rounds(60, 20))
const RESTARTS = Number(process.env.FAULT_RESTARTS ?? 1)
const LOAD = fileURLToPath(new URL('faulty-load.ts', import.meta.url))

let server: FaultyPostgres

beforeAll(async () => {
  server = await startFaultyPostgres()
  await withClient(async (client) => {
    await client`create table halves (pair text not null, half int not null, primary key (pair, half))`
  })
})
afterAll(() => server.remove())

async function withClient<T>(run: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(server.url, { max: 1, onnotice: () => {} })
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

interface Report {
  counts: {
    committed: number
    unavailable: number
    timeouts: number
    slowest: number
    unexpected: string[]
    lastSuccess: number
  }
  acknowledged: string[]
}

/** Runs the load while a fault is injected; throws if its process exits. */
async function runUnderLoad(injectFault: () => Promise<void>, max = 4, background = 'no'): Promise<Report> {
  const child: ChildProcess = fork(LOAD, [server.url, String(max), '16', background], { execArgv: ['--import', 'tsx'] })
  let report: Report | undefined
  child.on('message', (message) => {
    if (typeof message === 'object') report = message as Report
  })
  const exited = once(child, 'exit')
  await once(child, 'message')
  await injectFault()
  expect(child.exitCode, 'the process died').toBeNull()
  child.send('stop')
  const [code] = await exited
  expect(code).toBe(0)
  if (!report) throw new Error('The load printed no report')
  return report
}

const findHalfPairs = () =>
  withClient((client) => client`select pair, count(*) from halves group by pair having count(*) <> 2`)
async function findLost(acknowledged: string[]): Promise<string[]> {
  const stored = new Set(
    (await withClient((client) => client<{ pair: string }[]>`select distinct pair from halves`)).map(
      ({ pair }) => pair,
    ),
  )
  return acknowledged.filter((pair) => !stored.has(pair))
}

/** Resolves once the load has inserted more rows. */
const waitForMoreRows = () =>
  withClient(async (client) => {
    const stored = async () => (await client<{ n: number }[]>`select count(*)::int as n from halves`)[0]?.n ?? 0
    const before = await stored()
    await until('the load continues', async () => (await stored()) > before, 10_000)
  })

async function killBackends(times: number): Promise<number> {
  let killed = 0
  const end = Date.now() + times * 500
  while (killed < times && Date.now() < end) {
    killed += await server.terminateBackends(3)
    await sleep(5)
  }
  return killed
}

describe.each([
  ['a pool of four', 4, 'no'],
  ['a pool of one', 1, 'no'],
  ['a pool of four with other traffic', 4, 'yes'],
])('backends killed inside transactions, on %s', (name, max, background) => {
  it(
    'leave the process alive and no partial transaction, and lose no acknowledged one',
    async () => {
      let killed = 0
      const { counts, acknowledged } = await runUnderLoad(
        async () => {
          killed = await killBackends(KILLS)
        },
        max,
        background,
      )
      expect(killed).toBeGreaterThanOrEqual(KILLS)
      // The sum of the timeouts for pool, connection and response, plus slack for a busy machine.
      expect(counts.slowest).toBeLessThan(8000)
      expect(counts.unexpected).toEqual([])
      expect(counts.unavailable).toBeGreaterThan(0)
      expect(counts.committed).toBeGreaterThan(0)
      expect(await findHalfPairs()).toEqual([])
      expect(await findLost(acknowledged)).toEqual([])
      if (KILLS > 60) console.log(name, { killed, ...counts })
    },
    KILLS * 1000,
  )
})

describe('PostgreSQL restarted under load', () => {
  it.each(['fast', 'immediate', 'killed'] as const)(
    '%s: the process survives and recovers by itself',
    async (mode) => {
      let isBack = 0
      const { counts, acknowledged } = await runUnderLoad(async () => {
        for (let round = 0; round < RESTARTS; round++) {
          await waitForMoreRows()
          await server.restart(mode)
          isBack = Date.now()
          await waitForMoreRows()
        }
      })
      expect(counts.unexpected).toEqual([])
      expect(counts.slowest).toBeLessThan(8000)
      expect(counts.lastSuccess).toBeGreaterThan(isBack)
      expect(await findHalfPairs()).toEqual([])
      expect(await findLost(acknowledged)).toEqual([])
      if (RESTARTS > 1) console.log(mode, counts)
    },
    RESTARTS * 20_000,
  )
})

const waitForExit = (pid: number) =>
  withClient((client) =>
    until('the backend ends', async () => (await client`select from pg_stat_activity where pid = ${pid}`).length === 0),
  )

describe('a transaction whose connection was lost', () => {
  it('rejects every further statement, including savepoints and COMMIT', async () => {
    const { db, close } = connect(server.url, { max: 1 })
    const attempt = inTransaction(db, async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await tx.execute(sql`insert into halves (pair, half) values ('gone', 1)`)
      await withClient((client) => client`select pg_terminate_backend(${row?.pid ?? 0})`)
      for (let round = 0; round < 3; round++) {
        const outcome = await tx
          .execute(sql`insert into halves (pair, half) values ('gone', ${round + 2})`)
          .catch((error: unknown) => error)
        expect(isDatabaseUnavailable(outcome)).toBe(true)
      }
      const nested = await tx
        .transaction((inner) => inner.execute(sql`insert into halves (pair, half) values ('gone', 9)`))
        .catch((error: unknown) => error)
      expect(isDatabaseUnavailable(nested)).toBe(true)
    })
    await expect(attempt).rejects.toSatisfy(isDatabaseUnavailable)
    // The pool of one connection works again.
    expect(
      (await db.execute<{ n: number }>(sql`select count(*)::int as n from halves where pair = 'gone'`))[0]?.n,
    ).toBe(0)
    await close()
  })

  it('survives the server ending it for being idle', async () => {
    const { db, close } = connect(server.url, { max: 1 })
    const attempt = inTransaction(db, async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 100`)
      await waitForExit(row?.pid ?? 0)
      await tx.execute(sql`select 1`)
    })
    await expect(attempt).rejects.toSatisfy(isDatabaseUnavailable)
    await expect(db.execute(sql`select 1`)).resolves.toHaveLength(1)
    await close()
  })
})
