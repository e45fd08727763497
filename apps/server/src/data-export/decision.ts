import * as schema from '@community/db/schema'
import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/** The account whose data is exported. `emailKey` is the email as the blacklist compares it. */
export interface Person {
  id: string
  email: string
  emailKey: string
}

type Exports<T> = T extends PgTable ? T : never
export type TableName = {
  [N in keyof typeof schema]: (typeof schema)[N] extends PgTable ? N : never
}[keyof typeof schema]
export const TABLES: Readonly<Record<TableName, PgTable>> = { ...schema }
export type ColumnsOf<N extends TableName> = keyof Exports<(typeof schema)[N]>['_']['columns'] & string

/** How a person’s download shows the rows about them. */
export interface Section<Column extends string = string> {
  where: (person: Person) => SQL | undefined
  columns: readonly Column[]
}

export interface Decision<Column extends string = string> {
  /** By the name in the download. */
  sections?: Readonly<Record<string, Section<Column>>>
  /** In no person's download: about others, or of use to the product only. */
  withheld?: readonly Column[]
  /** In no export at all: hashes and sealed values. */
  secret?: readonly Column[]
}

/** A decision for each of these tables, about their columns. */
export type Decisions<N extends TableName> = { readonly [T in N]: Decision<ColumnsOf<T>> }
