import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { clockOf } from '@community/testing/database/clock'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { findViolationsWith } from '@community/testing/database/invariants'
import { pooledSettings, startPooler } from '@community/testing/database/pooler'
import { openMailSink } from '@community/testing/mail-sink'
import { realS3Settings } from '@community/testing/object-store'
import { NO_LIMITS, type Server, type Settings, startServer } from '@community/testing/server'
import { until } from '@community/testing'
import { buildIndexes, hostOptions } from '@community/db'
import postgres from 'postgres'
import { Client } from '@community/testing/api-client'
import { usersOn } from '@community/testing/database/users'

export type Fixture = Awaited<ReturnType<typeof openFixture>>
/** A fixture on any database. */
export type FixtureOn = Awaited<ReturnType<typeof openFixtureOn>>

export interface FixtureOptions {
  /** The test writes data that the product would not: skips the invariants. */
  breaksInvariants?: boolean
  /** Number of server processes, all on one database. */
  servers?: number
  settings?: Settings
  /** The main program of the servers, by default this version's. */
  main?: string | undefined
  /** The port at which the servers reach the database: that of a faulty network in front of it. */
  databasePort?: (postgres: FaultyPostgres) => Promise<number>
}

/** The default limits of the product. */
export const DEFAULT_LIMITS: Settings = Object.fromEntries(Object.keys(NO_LIMITS).map((name) => [name, '']))

/**
 * Starts a PostgreSQL that syncs to disk, an SMTP server and processes of the built server, and creates users. With
 * `TEST_DATABASE_POOLER=1` the servers reach the database through PgBouncer.
 */
export async function openFixture(options: FixtureOptions = {}) {
  const cluster = await startFaultyPostgres()
  const url = new URL(cluster.url)
  if (options.databasePort) url.port = String(await options.databasePort(cluster))
  const pooler = process.env.TEST_DATABASE_POOLER ? await startPooler(url.href) : undefined
  const database: FixtureDatabase = {
    url: cluster.url,
    settings: pooler ? pooledSettings(url.href, pooler.port) : { DATABASE_URL: url.href },
    async remove() {
      await pooler?.stop()
      await cluster.remove()
    },
  }
  return { ...(await openFixtureOn(database, options)), postgres: cluster }
}

export interface FixtureDatabase {
  /** Bypasses every fault between the servers and the database. */
  url: string
  settings: Settings
  remove(): Promise<unknown>
}

/** Like `openFixture`, on a given database, which is removed when the fixture is closed. */
export async function openFixtureOn(
  database: FixtureDatabase,
  { servers: count = 1, settings = {}, main, breaksInvariants = false }: Omit<FixtureOptions, 'databasePort'> = {},
) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-guarantee-'))
  const mail = await openMailSink()
  const all: Settings = {
    NODE_ENV: 'test',
    EMBEDDED: '1',
    DATA_DIR: dir,
    ...database.settings,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Community <no-reply@community.example>',
    APP_URL: 'https://community.example',
    APP_SECRET: 'a secret of the reliability tests, long enough',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
    ...NO_LIMITS,
    // Stores files on disk without an S3 server; `.ci/run` starts one.
    ...realS3Settings(`reliability-${process.pid}`),
    ...settings,
  }
  const started: Server[] = []
  const addServer = async (more: Settings = {}, program?: string) => {
    const server = await startServer({ ...all, ...more }, program)
    started.push(server)
    return server
  }
  // The first server migrates; the others would only wait for it.
  const server = await addServer({}, main)
  while (started.length < count) await addServer({}, main)
  const servers = [...started]
  // The servers build missing indexes in the background. A test that runs `vacuum` meanwhile could deadlock with the build.
  if (main === undefined) await until('the indexes are built', () => buildIndexes(database.url))
  const sql = postgres(database.url, { max: 4, onnotice: () => {}, idle_timeout: 1, ...hostOptions(database.url, 10) })
  const client = new Client(server.port)
  return {
    /** A connection that bypasses every fault between the servers and the database. */
    sql,
    clock: clockOf(sql),
    servers,
    /** One client per server. */
    clients: [client, ...servers.slice(1).map(({ port }) => new Client(port))],
    /** The first server and its client. */
    server,
    client,
    mail,
    settings: all,
    ...usersOn(sql),
    /** Starts one more server, which is killed when the fixture is closed. */
    startServer: addServer,
    /** The servers that exited by themselves, with their output. */
    crashes: () =>
      started.filter((each) => each.hasCrashed()).map((each) => `the server ended by itself: ${each.output()}`),
    brokenInvariants: async () => (breaksInvariants ? [] : brokenInvariantsOf(sql)),
    async close() {
      await Promise.all(started.map((each) => each.end('SIGKILL')))
      await sql.end({ timeout: 1 })
      await mail.close()
      await database.remove()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The violated invariants, a line each. Uses no product pool, because its statement timeout is three seconds. */
export async function brokenInvariantsOf(sql: postgres.Sql): Promise<string[]> {
  const broken = await findViolationsWith((statement) => sql.unsafe(statement))
  return broken.map(({ invariant, rows }) => `${invariant}: ${JSON.stringify(rows).slice(0, 400)}`)
}

/** The deadlocks and serialization failures in PostgreSQL's log since its last start. */
export async function conflictsLogged({ sql }: Fixture): Promise<string[]> {
  const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
  const log = await readFile(path.join(path.dirname(row?.folder ?? ''), 'server.log'), 'utf8')
  return log.split('\n').filter((line) => /deadlock detected|could not serialize/.test(line))
}

/** Inserts teams without members, to fill the database. */
export const insertTeams = (sql: postgres.Sql, count: number) => sql`
  insert into teams (name, name_key, description, is_active, experience)
  select 'Filling ' || n, 'filling ' || n, 'A team that stands for many', false, 'Beginner'
  from generate_series(1, ${count}::int) n`
