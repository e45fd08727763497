import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '@community/testing'
import type postgres from 'postgres'
import { compare, type Figures, load, loadWithCpu, prepare, ratePerSecond } from './driver.ts'
import { usedSinceStart } from './processor-time.ts'
import type { Program } from './programs.ts'
import { applications, approvals, joinsAndLeaves, signIns } from './requests.ts'
import type { Seeded } from './seed.ts'

interface Setting {
  /** Starts one more process of the product. */
  start: () => Promise<Program>
  product: Program
  bare: Program
  sql: postgres.Sql
  /** The process id of PostgreSQL's postmaster. */
  postmaster: number
  seeded: Seeded
  rounds: number
  seconds: number
}

const CLIENTS = 16
const LEADERBOARD = prepare({ line: 'GET /teams/leaderboard?limit=100' })

/** The minimum of several starts, because other work on the machine can only add to it. */
export async function measureStarts({ start, rounds }: Setting): Promise<Figures> {
  const used: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const program = await start()
    used.push(usedSinceStart(program.pid))
    await program.stop()
  }
  return { 'CPU of a start, ms': Math.min(...used) }
}

/** The leaderboard, read without pause, alone and while ten changes a second are committed. */
export async function measureChanges({ product, sql, rounds, seconds }: Setting): Promise<Figures> {
  const read = () => ratePerSecond(product, { connections: CLIENTS, seconds, next: () => LEADERBOARD })
  return compare(rounds, ['leaderboard/s with 10 changes/s', 'leaderboard/s'], async () => {
    const quiet = await read()
    const stop = new AbortController()
    const changes = (async () => {
      for (; !stop.signal.aborted; await sleep(100)) await sql`update settings set updated_at = now()`
    })()
    const changing = await read().finally(() => stop.abort())
    await changes
    return [changing, quiet]
  })
}

/** Joins by `people` users at once. A leave follows each, so that every round begins with the same free seats. */
async function compareJoins(
  { product, bare, sql, seeded, rounds, seconds }: Setting,
  name: string,
  people: number,
  teams: number,
): Promise<Figures> {
  const pairs = await joinsAndLeaves(sql, seeded, people, teams)
  const joinsPerSecond = async (program: Program) => {
    const end = performance.now() + seconds * 1000
    const next = (connection: number, round: number) =>
      performance.now() > end && round % 2 === 0 ? undefined : pairs[connection]?.[round % 2]
    return (await ratePerSecond(program, { connections: people, seconds: seconds * 10, next })) / 2
  }
  const names: [string, string] = [name, `${name}, bare`]
  return compare(rounds, names, async () => [await joinsPerSecond(product), await joinsPerSecond(bare)])
}

/** A seeded team has six free seats. */
export const measureJoins = async (setting: Setting): Promise<Figures> => ({
  ...(await compareJoins(setting, 'joins/s of many teams', CLIENTS, CLIENTS)),
  ...(await compareJoins(setting, 'joins/s of one team', 6, 1)),
})

/** Approves pending submissions over 16 connections. Each round gives both programs the same number of submissions. */
export async function measureApprovals({ product, bare, sql, seeded, rounds, seconds }: Setting): Promise<Figures> {
  const pending = await approvals(sql, seeded, 400 * 2 * rounds)
  const share = Math.floor(pending.length / (2 * rounds))
  const countDeadlocks = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql`select deadlocks from pg_stat_database where datname = current_database()`
    return Number(row?.deadlocks)
  }
  const approvalsPerSecond = (program: Program) => {
    const requests = pending.splice(0, share)
    return ratePerSecond(program, { connections: CLIENTS, seconds: seconds * 4, next: () => requests.pop() })
  }
  const before = await countDeadlocks()
  const rates = await compare(rounds, ['approvals/s', 'approvals/s, bare'], async () => [
    await approvalsPerSecond(product),
    await approvalsPerSecond(bare),
  ])
  return { ...rates, 'deadlocks meanwhile': (await countDeadlocks()) - before }
}

/** The CPU time of the server and PostgreSQL per application to a challenge; the minimum of the rounds. */
export async function measureApplications({ product, sql, postmaster, seeded, rounds }: Setting): Promise<Figures> {
  const requests = await applications(sql, seeded, 150 * rounds)
  const perRound = Math.floor(requests.length / rounds)
  const used: number[] = []
  for (let round = 0; round < rounds; round++) {
    const batch = requests.splice(0, perRound)
    const { cpuMicros } = await loadWithCpu(product, postmaster, {
      connections: 1,
      seconds: 60,
      next: () => batch.pop(),
    })
    used.push(cpuMicros / 1000)
  }
  return { 'CPU of an application, ms': Math.min(...used) }
}

/** The median time of reads over two connections, alone and while 16 users sign in without a pause. */
export async function measureBesideSignIns({ product, sql, rounds, seconds }: Setting): Promise<Figures> {
  const requests = await signIns(sql, CLIENTS)
  const readP50 = async () =>
    median((await load(product, { connections: 2, seconds: seconds * 2, next: () => LEADERBOARD })).times)
  let signInsPerSecond = 0
  const reads = await compare(rounds, ['read p50 while 16 sign in, ms', 'read p50 idle, ms'], async () => {
    const idle = await readP50()
    const next = (client: number) => requests[client]
    const signIn = ratePerSecond(product, { connections: CLIENTS, seconds: seconds * 2, next })
    const busy = await readP50()
    signInsPerSecond = await signIn
    return [busy, idle]
  })
  return { ...reads, 'sign-ins/s meanwhile': signInsPerSecond }
}
