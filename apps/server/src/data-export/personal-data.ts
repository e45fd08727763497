import { appErrors } from '@community/contract'
import type { Db } from '@community/db'
import { AppError } from '../errors.ts'
import { findAccountById } from '../users/account-queries.ts'
import { DATA_COLUMNS } from './data-columns.ts'
import { type Decision, type Person, type TableName, TABLES } from './decision.ts'
import { readRows } from './read-rows.ts'

/** Tables in the order of DATA_COLUMNS. Cast, because Object.entries returns strings. */
const DECISIONS = Object.entries(DATA_COLUMNS) as [TableName, Decision][]

/**
 * Everything stored about a person, as JSON text: the ids of files that the storage has lost, and an array for each section of
 * DATA_COLUMNS. Throws if the account is deleted while it runs, because the sections after it would be empty.
 */
export async function* personalDataJson(
  db: Db,
  person: Person,
  missingFiles: readonly string[],
): AsyncGenerator<string> {
  yield `{\n  "exportedAt": ${JSON.stringify(new Date())},\n  "missingFiles": ${JSON.stringify(missingFiles)}`
  for (const [tableName, { sections = {} }] of DECISIONS)
    for (const [name, { where, columns }] of Object.entries(sections)) {
      yield `,\n  ${JSON.stringify(name)}: [`
      let separator = '\n    '
      for await (const row of readRows(db, TABLES[tableName], columns, where(person))) {
        yield separator + JSON.stringify(row)
        separator = ',\n    '
      }
      yield '\n  ]'
    }
  if (!(await findAccountById(db, person.id))) throw new AppError(appErrors.notSignedIn)
  yield '\n}\n'
}
