import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { hostOptions, type Pooler } from './database-url.ts'
import * as schema from './schema/index.ts'

type Schema = typeof schema

/** The casing of column names that the schema does not set. */
export const CASING = 'snake_case'

/** The database outside a transaction. Use it for reads; docs/architecture.md lists the few writes that need no `Tx`, and why. */
export type Db = PostgresJsDatabase<Schema>
/** A transaction. Writes require it, except those few. */
export type Tx = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
export type Reader = Db | Tx
/** A transaction that only locks and reads. It builds no queries: functions over `prepared` statements that do not write accept it. */
export type LockingTx = Pick<Tx, '_' | 'rollback'>

export interface Connection {
  db: Db
  sql: postgres.Sql
  close(): Promise<void>
}

/** Milliseconds after which PostgreSQL ends a statement, a wait for a lock and an idle transaction. */
export const SESSION_TIMEOUTS = {
  statement_timeout: 3000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 5000,
}

export interface ConnectOptions {
  /** Maximum number of connections; a few are fastest on a small machine. */
  max?: number
  applicationName?: string
  pooler?: Pooler | undefined
  /** Whether the URL leads to standbys. Of several hosts only a standby is used; connections are renewed each minute, to leave one that was promoted. */
  isReplica?: boolean
  /** False for exports and imports, whose statements may take minutes (they set `statement_timeout` themselves), and for LISTEN. */
  hasAnswerTimeout?: boolean
}

/**
 * Creates a pool. Timeouts: 3 s per statement, 2 s per lock, 5 s for an idle transaction, 2 s for a free connection, 4 s for a response.
 * Behind a pooler, set the first three (`SESSION_TIMEOUTS`) in PostgreSQL or in the pooler.
 * The last three throw an error for which `isDatabaseUnavailable` is true.
 */
export function connect(
  url: string,
  { max = 4, applicationName = 'community', pooler, hasAnswerTimeout = true, isReplica = false }: ConnectOptions = {},
): Connection {
  const sql = postgres(url, {
    prepare: pooler !== 'transaction',
    max,
    // A caller waits at most 8 s, 2 for a free connection, 2 to open it and 4 for the response, and for the statements ahead of its own.
    queue_timeout: 2,
    ...hostOptions(url, 2, isReplica ? 'standby' : 'read-write'),
    ...(isReplica && { max_lifetime: 60 }),
    ...(hasAnswerTimeout && { answer_timeout: 4 }),
    // Statements sent behind the running one. With 1 they are a sixth slower; with the default of 100, one could wait for minutes.
    max_pipeline: 4,
    idle_timeout: 60,
    keep_alive: 15,
    // Seconds before reconnecting. The driver's default grows to 20, during which queries wait.
    backoff: () => 0.2,
    onnotice: () => {},
    connection: {
      application_name: applicationName,
      // Poolers refuse session settings, or give them to the next client.
      ...(pooler === undefined && { ...SESSION_TIMEOUTS, jit: false }),
    },
  })
  const db = drizzle(sql, { schema, casing: CASING })
  return { db, sql, close: () => sql.end({ timeout: 5 }) }
}
