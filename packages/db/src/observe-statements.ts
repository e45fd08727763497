import { PostgresJsPreparedQuery } from 'drizzle-orm/postgres-js'

/** Must call `send` before it returns: the statements of a transaction are sent in the order of their calls. */
export type StatementObserver = <T>(text: string, send: () => Promise<T>) => Promise<T>

/**
 * Lets `observe` run each statement sent through Drizzle, in all pools, until the returned function is called. Its text has placeholders in
 * place of values.
 */
export function observeStatements(observe: StatementObserver): () => void {
  // Drizzle's logger cannot observe a statement's duration, because it is called before the statement.
  const { execute } = PostgresJsPreparedQuery.prototype
  PostgresJsPreparedQuery.prototype.execute = function observed(this: PostgresJsPreparedQuery<never>, values) {
    return observe(this.getQuery().sql, () => execute.call(this, values))
  }
  return () => {
    PostgresJsPreparedQuery.prototype.execute = execute
  }
}
