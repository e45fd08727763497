import { randomBytes } from 'node:crypto'
import { type Connection, type ConnectOptions, connect } from '@community/db'
import postgres from 'postgres'
import { inject } from 'vitest'
import { pooledSettings } from './pooler.ts'

export const TEMPLATE = 'community_template'

export interface PostgresServer {
  url: string
  /** The port of the pooler in front of it, with TEST_DATABASE_POOLER. */
  poolerPort?: number | undefined
}
declare module 'vitest' {
  interface ProvidedContext {
    postgresServer: PostgresServer
  }
}

/** The URL of another database on the same server. */
export function databaseUrlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

export interface TestDatabase {
  /** Leads to the server itself. */
  url: string
  /** The settings of a product that uses it, through the pooler if there is one. */
  settings: Record<string, string>
  /** Opens a pool as the product does, through the pooler if there is one. */
  connect(options?: ConnectOptions): Connection
  drop(): Promise<void>
}

/** The database at `url`, reached through the pooler at a port if there is one. */
export function databaseAt(url: string, poolerPort?: number): Omit<TestDatabase, 'drop'> {
  if (poolerPort === undefined)
    return { url, settings: { DATABASE_URL: url }, connect: (options) => connect(url, options) }
  const settings = pooledSettings(url, poolerPort)
  return { url, settings, connect: (options) => connect(settings.DATABASE_URL, { ...options, pooler: 'transaction' }) }
}

/** Creates a migrated and seeded database by copying the template. Drop it when done. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  const run = async (statement: (sql: postgres.Sql) => Promise<unknown>) => {
    // Setup at the top of a test file has no other time limit.
    const sql = postgres(server.url, { max: 1, onnotice: () => {}, connection: { statement_timeout: 30_000 } })
    try {
      await statement(sql)
    } finally {
      await sql.end()
    }
  }
  // The default strategy would write every page of the template to the WAL.
  await run((sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)} strategy file_copy`)
  return {
    ...databaseAt(databaseUrlOf(server.url, name), server.poolerPort),
    drop: () => run((sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}
