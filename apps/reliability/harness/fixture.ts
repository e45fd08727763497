import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { violationsBy } from '@community/testing/database/invariants'
import postgres from 'postgres'
import { Client } from './client.ts'
import { type MailSink, openMailSink } from '@community/testing/mail-sink'
import { type People, peopleOn } from './people.ts'
import { type Server, type Settings, startServerWith } from '@community/testing/server'

export interface Fixture {
  postgres: FaultyPostgres
  /** A connection of our own, past every fault between the servers and the database. */
  sql: postgres.Sql
  servers: Server[]
  /** One for each server. */
  clients: Client[]
  /** The first server and its client. */
  server: Server
  client: Client
  mail: MailSink
  people: People
  settings: Settings
  /** The invariants that do not hold, a line each. */
  brokenInvariants(): Promise<string[]>
  close(): Promise<void>
}

export interface FixtureOptions {
  /** Its data is not of the product's making: the invariants are not checked. */
  breaksInvariants?: boolean
  /** Processes of the server, all on one database. */
  servers?: number
  settings?: Settings
  /** Where the servers find the database, instead of its own port: a faulty network before it. */
  databasePort?: (postgres: FaultyPostgres) => Promise<number>
}

/** The real S3 server where the suite has one, else files: `.ci/run` starts it. */
function storageSettings(): Settings {
  const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env
  if (!TEST_S3_ENDPOINT) return {}
  return {
    S3_ENDPOINT: TEST_S3_ENDPOINT,
    S3_BUCKET: `reliability-${process.pid}`,
    S3_ACCESS_KEY_ID: TEST_S3_ACCESS_KEY_ID ?? '',
    S3_SECRET_ACCESS_KEY: TEST_S3_SECRET_ACCESS_KEY ?? '',
  }
}

/** Everything comes from one address, and quickly. */
const NO_LIMITS: Settings = {
  READ_BUDGET_PER_ADDRESS: '100000000',
  READ_BUDGET_PER_PERSON: '100000000',
  CALLS_AT_ONCE_PER_ADDRESS: '256',
  CALLS_AT_ONCE_PER_PERSON: '256',
}
/** As the server is shipped. */
export const USUAL_LIMITS: Settings = Object.fromEntries(Object.keys(NO_LIMITS).map((name) => [name, '']))

/** A PostgreSQL that syncs to disk, an SMTP server and processes of the built server, with people to use them. */
export async function openFixture({
  servers: count = 1,
  settings = {},
  databasePort,
}: FixtureOptions = {}): Promise<Fixture> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-guarantee-'))
  const cluster = await startFaultyPostgres()
  const mail = await openMailSink()
  const url = new URL(cluster.url)
  if (databasePort) url.port = String(await databasePort(cluster))
  const all: Settings = {
    NODE_ENV: 'test',
    EMBEDDED: '1',
    DATA_DIR: dir,
    DATABASE_URL: url.href,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Community <no-reply@community.example>',
    APP_URL: 'https://community.example',
    APP_SECRET: 'a secret of the reliability tests, long enough',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
    ...NO_LIMITS,
    ...storageSettings(),
    ...settings,
  }
  // The first migrates; the others would only wait for it.
  const server = await startServerWith(all)
  const servers = [server]
  while (servers.length < count) servers.push(await startServerWith(all))
  const sql = postgres(cluster.url, { max: 4, onnotice: () => {}, idle_timeout: 1 })
  const client = new Client(server.port)
  const clients = [client, ...servers.slice(1).map(({ port }) => new Client(port))]
  return {
    postgres: cluster,
    sql,
    servers,
    clients,
    server,
    client,
    mail,
    settings: all,
    people: peopleOn(sql),
    brokenInvariants: () => brokenInvariantsOf(sql),
    async close() {
      for (const client of clients) client.close()
      await Promise.all(servers.map((server) => server.end('SIGKILL')))
      await sql.end({ timeout: 1 })
      await mail.close()
      await cluster.remove()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The invariants that do not hold, a line each; past the product's own pool, whose statements have three seconds: there may be a million rows. */
export async function brokenInvariantsOf(sql: postgres.Sql): Promise<string[]> {
  const broken = await violationsBy((statement) => sql.unsafe(statement))
  return broken.map(({ invariant, rows }) => `${invariant}: ${JSON.stringify(rows).slice(0, 400)}`)
}
