import type { SQL } from 'drizzle-orm'
import { PgDatabase, PgDialect, PgPreparedQuery, PgSession, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import { CASING, type LockingTx, type Reader } from './client.ts'

/** The SQL and the row mapping that a query builder passes to its session. */
type PrepareArguments = Parameters<PgSession['prepareQuery']>

/** Set but not declared by Drizzle's `select` and `update` on prepared queries; needed to map joined rows. */
interface UndeclaredFields {
  joinsNotNullableMap?: Record<string, boolean>
}

/** A query built without a connection. Each reader that runs it prepares it on its own pool or connection. */
export class UnboundQuery<Config extends PreparedQueryConfig> extends PgPreparedQuery<Config> {
  readonly #arguments: PrepareArguments

  constructor(...prepareArguments: PrepareArguments) {
    super(prepareArguments[0], undefined, undefined)
    this.#arguments = prepareArguments
  }

  on(reader: Reader | LockingTx): PgPreparedQuery<Config> {
    const query = reader._.session.prepareQuery<Config>(...this.#arguments)
    const { joinsNotNullableMap } = this as UndeclaredFields
    return Object.assign(query, { joinsNotNullableMap })
  }

  override execute(): never {
    throw new Error('An unbound query runs on a reader')
  }
}

/** A session without a connection. */
class UnboundSession extends PgSession<PostgresJsQueryResultHKT> {
  override prepareQuery<Config extends PreparedQueryConfig>(...prepareArguments: PrepareArguments) {
    return new UnboundQuery<Config>(...prepareArguments)
  }

  override transaction(): never {
    throw new Error('There is no connection')
  }
}

const dialect = new PgDialect({ casing: CASING })
const session = new UnboundSession(dialect)

/** A database that builds queries but cannot run them. */
export const unboundDatabase = new PgDatabase(dialect, session, undefined) as unknown as Reader

export const unboundSql = <R>(text: SQL, name: string) =>
  session.prepareQuery<{ execute: R[]; all: R[]; values: unknown }>(dialect.sqlToQuery(text), undefined, name, false)
