import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from './schema/index.ts'

type Schema = typeof schema

/** How columns without a name of their own are named. */
export const CASING = 'snake_case'

/** The database outside a transaction: reads only, by convention and by the types of every write. */
export type Db = PostgresJsDatabase<Schema>
/** A transaction: writes demand one. */
export type Tx = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
export type Reader = Db | Tx

export interface Connection {
  db: Db
  sql: postgres.Sql
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Connections; a few are best on a small machine, twenty cost more than they give. */
  max?: number
  applicationName?: string
}

/**
 * Opens a pool on a PostgreSQL. Every statement has 3 s, every lock 2 s; a transaction that falls idle is ended after 5 s.
 * Who finds no free connection within 2 s, or a server that is silent for 4 s, is told that the database is away.
 */
export function connect(url: string, { max = 4, applicationName = 'community' }: ConnectOptions = {}): Connection {
  const sql = postgres(url, {
    max,
    // The caller waits at most 8 s: 2 for a connection, 2 for opening it, and 4 on a silent server, which has 3 for a statement.
    queue_timeout: 2,
    connect_timeout: 2,
    answer_timeout: 4,
    // Statements sent ahead on a busy connection. None would cost a sixth of the speed; behind the driver's hundred one could wait for minutes.
    max_pipeline: 4,
    idle_timeout: 60,
    keep_alive: 15,
    // Seconds before a lost connection is tried again. The driver's own grows to 20, and queries wait it out.
    backoff: () => 0.2,
    onnotice: () => {},
    connection: {
      application_name: applicationName,
      statement_timeout: 3000,
      lock_timeout: 2000,
      idle_in_transaction_session_timeout: 5000,
      jit: false,
    },
  })
  const db = drizzle(sql, { schema, casing: CASING })
  return { db, sql, close: () => sql.end({ timeout: 5 }) }
}
