import type { Connection, Db, Reader } from './client.ts'

/** What a builder of drizzle gives: something that can be prepared under a name. */
export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T>; getQuery(): { sql: string } }
}
type Prepared<T> = ReturnType<Preparable<T>['prepare']>

/** The values of a statement's placeholders. */
export type Values = Record<string, unknown>
export type Statement<T> = (reader: Reader, values?: Values) => Promise<T>

interface Registered {
  prepareOn(db: Db): void
  textFor(db: Db): string
}
const registry = new Map<string, Registered>()

/**
 * A named prepared statement: `const teamById = statement('team_by_id', (q) => q.select()…placeholder('id'))`, called as
 * `teamById(reader, { id })`. Its text is built once per database; inside a transaction it runs on that transaction's connection.
 * Searches by pattern are not for it: a plan made without the pattern can cost a thousand times the right one.
 */
export function statement<T>(name: string, build: (reader: Reader) => Preparable<T>): Statement<T> {
  if (registry.has(name)) throw new Error(`Two statements are named ${name}`)
  const prepared = new WeakMap<Reader, Prepared<T>>()
  const on = (reader: Reader): Prepared<T> => {
    const known = prepared.get(reader)
    if (known) return known
    const made = build(reader).prepare(name)
    prepared.set(reader, made)
    return made
  }
  registry.set(name, { prepareOn: (db) => void on(db), textFor: (db) => on(db).getQuery().sql })
  return (reader, values = {}) => on(reader).execute(values)
}

/** Builds the text of every statement for a database: at start, not at the first request. */
export function prepareAll(db: Db): void {
  for (const { prepareOn } of registry.values()) prepareOn(db)
}

/**
 * Lets the server parse and plan every statement against its schema, without running any. Answers what does not fit, a line each.
 */
export async function misfits({ db, sql }: Pick<Connection, 'db' | 'sql'>): Promise<string[]> {
  const checks = [...registry].map(([name, { textFor }]) =>
    sql
      .unsafe(textFor(db))
      .describe()
      .then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
  )
  return (await Promise.all(checks)).flat()
}
