import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'

export const TEMPLATE = 'community_template'

export interface PostgresServer {
  url: string
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
  url: string
  drop(): Promise<void>
}

/** Creates a migrated and seeded database by copying the template. Drop it when done. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresServer').url
  const name = `test_${randomBytes(6).toString('hex')}`
  const run = async (statement: (sql: postgres.Sql) => Promise<unknown>) => {
    const sql = postgres(server, { max: 1, onnotice: () => {} })
    try {
      await statement(sql)
    } finally {
      await sql.end()
    }
  }
  // The default strategy would write every page of the template to the WAL.
  await run((sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)} strategy file_copy`)
  return {
    url: databaseUrlOf(server, name),
    drop: () => run((sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}
