import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { setImmediate as pause } from 'node:timers/promises'
import type { Connection, Reader } from './client.ts'
import { UnboundQuery, unboundDatabase, unboundSql } from './unbound-query.ts'

/** What a builder of drizzle gives: something that can be prepared under a name. */
export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T>; getQuery(): { sql: string } }
}

/** The values of a statement's placeholders. */
export type Values = Record<string, unknown>
export type Statement<T> = (reader: Reader, values?: Values) => Promise<T>

const registry = new Map<string, () => string>()

/**
 * A named prepared statement: `const teamById = prepared('team_by_id', (q) => q.select()…placeholder('id'))`, called as
 * `teamById(reader, { id })`. Its text is built once, whoever asks first; it runs on the pool or on the transaction's connection.
 * Several asked for together in one transaction are sent together and run in that order: one round trip.
 * Searches by pattern are not for it: a plan made without the pattern can cost a thousand times the right one.
 */
export function prepared<T>(name: string, build: (reader: Reader) => Preparable<T>): Statement<T> {
  if (registry.has(name)) throw new Error(`Two statements are named ${name}`)
  let built: UnboundQuery<{ execute: T; all: unknown; values: unknown }> | undefined
  const query = () => {
    if (built) return built
    const made: unknown = build(unboundDatabase).prepare(name)
    if (!(made instanceof UnboundQuery)) throw new Error(`${name} was not built on the reader it was given`)
    built = made
    return built
  }
  registry.set(name, () => query().getQuery().sql)
  return (reader, values = {}) => query().on(reader).execute(values)
}

/** Placeholders named as these columns, for what a statement inserts. */
export const placeholders = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as { [N in K]: Placeholder<N> }

/** What drizzle has no builder for, written out: `prepared('name', rawQuery<Row>(sql`…`))`. */
export const rawQuery =
  <R>(text: SQL) =>
  (): Preparable<R[]> => ({ prepare: (name) => unboundSql<R>(text, name) })

/** Builds the text of every statement, one after the other in the pauses between other work: else its first call would. */
export async function prepareAll(): Promise<void> {
  for (const textOf of registry.values()) {
    textOf()
    await pause()
  }
}

/**
 * Lets the server parse and plan every statement against its schema, without running any. Answers what does not fit, a line each.
 */
export async function validateStatements({ sql }: Pick<Connection, 'sql'>): Promise<string[]> {
  const checks = [...registry].map(([name, textOf]) =>
    sql
      .unsafe(textOf())
      .describe()
      .then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
  )
  return (await Promise.all(checks)).flat()
}
