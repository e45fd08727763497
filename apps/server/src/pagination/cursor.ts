import { appErrors, withMessage } from '@community/contract'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { KEY_SCHEMAS, type ListOrder } from './list-order.ts'

interface KeyBound {
  expression: SQLWrapper
  value: SQL
  operator: '<' | '>'
}

/** Groups adjacent keys of the same direction, which are compared as one row value. */
function groupBounds({ keys }: ListOrder, valueAt: (index: number) => SQLWrapper): KeyBound[][] {
  const groups: KeyBound[][] = []
  for (const [index, { expression, type, direction = 'asc' }] of keys.entries()) {
    // Cast from text, because the driver would serialise a typed parameter itself.
    const value = sql`${valueAt(index)}::text::${sql.raw(type)}`
    const bound: KeyBound = { expression, value, operator: direction.startsWith('desc') ? '<' : '>' }
    const group = groups.at(-1)
    if (group?.[0]?.operator === bound.operator) group.push(bound)
    else groups.push([bound])
  }
  return groups
}

/** The condition for rows after the given values. The leading `>=` lets an index scan start there, which the `or` alone would not. */
export function rowsAfterCondition(order: ListOrder, valueAt: (index: number) => SQLWrapper): SQL {
  const row = (parts: SQLWrapper[]) => sql`(${sql.join(parts, sql`, `)})`
  const conditions = groupBounds(order, valueAt).map((group) => {
    const keys = row(group.map(({ expression }) => expression))
    const values = row(group.map(({ value }) => value))
    const operator = sql.raw(group[0]?.operator ?? '>')
    return { atOrAfter: sql`${keys} ${operator}= ${values}`, strictlyAfter: sql`${keys} ${operator} ${values}` }
  })
  return conditions.reduceRight<SQL | undefined>(
    (rest, { atOrAfter, strictlyAfter }) =>
      rest ? sql`(${atOrAfter} and (${strictlyAfter} or ${rest}))` : strictlyAfter,
    undefined,
  ) as SQL
}

const invalidCursor = () => new AppError({ ...withMessage(appErrors.validation, 'Not a valid cursor'), path: 'cursor' })

/** The cursor after a row; `key` is the row's `ListOrder.key`. */
export const encodeCursor = ({ name }: ListOrder, key: string): string =>
  Buffer.from(JSON.stringify([name, ...JSON.parse(key)])).toString('base64url')

/** The values in a cursor of this list; throws `validation` for any other text. */
export function parseCursor({ name, keys }: ListOrder, cursor: string): string[] {
  const Cursor = z.tuple([z.literal(name), ...keys.map(({ type }) => KEY_SCHEMAS[type])])
  try {
    const [, ...values] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return values
  } catch {
    throw invalidCursor()
  }
}
