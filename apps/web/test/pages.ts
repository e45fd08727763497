import { refusal } from './fake-backend.ts'

interface Asked {
  cursor?: string | undefined
  limit?: number | undefined
}

const REFUSED = 'Not a valid cursor'
const encode = (scope: string, key: string): string =>
  btoa(encodeURIComponent(JSON.stringify([scope, key])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The key in a cursor; one that is malformed or of another question is refused, as the server does. */
function keyIn(cursor: string, scope: string): string {
  try {
    const held: unknown = JSON.parse(decodeURIComponent(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))))
    if (Array.isArray(held) && held[0] === scope && typeof held[1] === 'string') return held[1]
  } catch {
    // No cursor of ours.
  }
  throw refusal('VALIDATION', REFUSED, { errors: [{ msg: REFUSED, path: 'cursor' }] })
}

/**
 * One page of a list as the server answers it: in the order of their keys, the rows behind the cursor's. Rows that come or
 * go before it move nothing; a row whose key grew comes again.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { cursor, limit = 10, ...question }: Asked,
  keyOf: (row: Row) => string,
) {
  const scope = JSON.stringify({ ...question, page: undefined, direction: undefined })
  const after = cursor === undefined ? '' : keyIn(cursor, scope)
  const byKey = rows.map((row) => ({ row, key: keyOf(row) })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rest = byKey.filter(({ key }) => key > after)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ row }) => row),
    pagination: {
      page: 1,
      limit,
      total: rows.length,
      totalPages: Math.ceil(rows.length / limit),
      nextCursor: last && rest.length > limit ? encode(scope, last.key) : null,
    },
  }
}
