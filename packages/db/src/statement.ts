import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { setImmediate as pause } from 'node:timers/promises'
import type { Connection, Db, Reader } from './client.ts'

/** What a builder of drizzle gives: something that can be prepared under a name. */
export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T>; getQuery(): { sql: string } }
}
type Prepared<T> = ReturnType<Preparable<T>['prepare']>

/** The values of a statement's placeholders. */
export type Values = Record<string, unknown>
export type Statement<T> = (reader: Reader, values?: Values) => Promise<T>

type TextOf = (db: Db) => string
const registry = new Map<string, TextOf>()

/**
 * A named prepared statement: `const teamById = statement('team_by_id', (q) => q.select()…placeholder('id'))`, called as
 * `teamById(reader, { id })`. Its text is built once, whoever asks first; inside a transaction it runs on that transaction's connection.
 * Several asked for together in one transaction are sent together and run in that order: one round trip.
 * Searches by pattern are not for it: a plan made without the pattern can cost a thousand times the right one.
 */
export function prepared<T>(name: string, build: (reader: Reader) => Preparable<T>): Statement<T> {
  if (registry.has(name)) throw new Error(`Two statements are named ${name}`)
  let made: Prepared<T> | undefined
  const on = (reader: Reader): Prepared<T> => {
    made ??= build(reader).prepare(name)
    // Drizzle ties what it prepares to one connection or pool; a transaction would build the text anew.
    return Object.create(made, { client: { value: clientOf(reader) } })
  }
  registry.set(name, (db) => on(db).getQuery().sql)
  return (reader, values = {}) => on(reader).execute(values)
}

/** Placeholders named as these columns, for what a statement inserts. */
export const placeholders = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as { [N in K]: Placeholder<N> }

/** What drizzle has no builder for, written out: `statement('name', plain<Row>(sql`…`))`. */
export const rawQuery =
  <R>(text: SQL) =>
  (reader: Reader): Preparable<R[]> => ({
    prepare: (name) =>
      reader._.session.prepareQuery<{ execute: R[]; all: R[]; values: unknown }>(
        new PgDialect().sqlToQuery(text),
        undefined,
        name,
        false,
      ),
  })

/** The driver's connection or pool behind drizzle. */
const clientOf = (reader: Reader) => (reader._.session as unknown as { client: unknown }).client

/** Builds the text of every statement for a database, one after the other in the pauses between other work: else its first call would. */
export async function prepareAll(db: Db): Promise<void> {
  for (const textOf of registry.values()) {
    textOf(db)
    await pause()
  }
}

/**
 * Lets the server parse and plan every statement against its schema, without running any. Answers what does not fit, a line each.
 */
export async function validateStatements({ db, sql }: Pick<Connection, 'db' | 'sql'>): Promise<string[]> {
  const checks = [...registry].map(([name, textOf]) =>
    sql
      .unsafe(textOf(db))
      .describe()
      .then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
  )
  return (await Promise.all(checks)).flat()
}
