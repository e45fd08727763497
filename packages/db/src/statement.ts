import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { setImmediate as pause } from 'node:timers/promises'
import type { Connection, LockingTx, Reader } from './client.ts'
import { UnboundQuery, unboundDatabase, unboundSql } from './unbound-query.ts'

/** A Drizzle query that can be prepared under a name. */
export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T>; getQuery(): { sql: string } }
}

/** The values of a statement's placeholders. */
export type Values = Record<string, unknown>
type Statement<T> = (reader: Reader | LockingTx, values?: Values) => Promise<T>

const registry = new Map<string, () => string>()

/**
 * Declares a named prepared statement: `const teamById = prepared('teams.by-id', (q) => q.select()…placeholder('id'))`, called as
 * `teamById(reader, { id })`. Its text is built once; it runs on the pool or on the transaction's connection. Concurrent calls in one
 * transaction are pipelined in call order, in one round trip. Do not use it for pattern searches: a generic plan can be a thousand times
 * slower than one for the pattern.
 */
export function prepared<T>(name: string, build: (reader: Reader) => Preparable<T>): Statement<T> {
  if (registry.has(name)) throw new Error(`Two statements are named ${name}`)
  let built: UnboundQuery<{ execute: T; all: unknown; values: unknown }> | undefined
  const query = () => {
    if (built) return built
    const preparedQuery: unknown = build(unboundDatabase).prepare(name)
    if (!(preparedQuery instanceof UnboundQuery)) throw new Error(`${name} was not built on the reader it was given`)
    built = preparedQuery
    return built
  }
  registry.set(name, () => query().getQuery().sql)
  return (reader, values = {}) => query().on(reader).execute(values)
}

/** Placeholders with the names of these columns, for an insert. */
export const placeholders = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as { [N in K]: Placeholder<N> }

/** Raw SQL for `prepared`: `prepared('name', rawQuery<Row>(sql`…`))`. */
export const rawQuery =
  <R>(text: SQL) =>
  (): Preparable<R[]> => ({ prepare: (name) => unboundSql<R>(text, name) })

/** Builds the text of every statement in advance, yielding to the event loop in between. */
export async function prepareAll(): Promise<void> {
  for (const textOf of registry.values()) {
    textOf()
    await pause()
  }
}

/**
 * Lets the server parse every statement against its schema without running it. Returns one line per invalid statement.
 */
export async function validateStatements({ sql: client }: Pick<Connection, 'sql'>): Promise<string[]> {
  const checks = [...registry].map(([name, textOf]) =>
    client
      .unsafe(textOf())
      .describe()
      .then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
  )
  return (await Promise.all(checks)).flat()
}
