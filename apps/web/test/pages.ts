import { appError } from './fake-backend.ts'

interface PageInput {
  cursor?: string | undefined
  limit?: number | undefined
}

const INVALID_CURSOR = 'Not a valid cursor'
const encodeCursor = (scope: string, key: string): string =>
  btoa(encodeURIComponent(JSON.stringify([scope, key])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The key in a cursor. Throws for a malformed one or one of another query, like the server. */
function decodeCursor(cursor: string, scope: string): string {
  try {
    const decoded: unknown = JSON.parse(decodeURIComponent(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))))
    if (Array.isArray(decoded) && decoded[0] === scope && typeof decoded[1] === 'string') return decoded[1]
  } catch {
    // Not a valid cursor.
  }
  throw appError('VALIDATION', INVALID_CURSOR, { errors: [{ msg: INVALID_CURSOR, path: 'cursor' }] })
}

/**
 * One page of a list like the server's: rows in the order of their keys, after the cursor's key. Rows added or removed
 * before the cursor shift nothing; a row whose key has grown is returned again.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { cursor, limit = 10, ...filters }: PageInput,
  keyOf: (row: Row) => string,
) {
  const scope = JSON.stringify({ ...filters, page: undefined, direction: undefined })
  const afterKey = cursor === undefined ? '' : decodeCursor(cursor, scope)
  const byKey = rows.map((row) => ({ row, key: keyOf(row) })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const remaining = byKey.filter(({ key }) => key > afterKey)
  const pageRows = remaining.slice(0, limit)
  const last = pageRows.at(-1)
  return {
    rows: pageRows.map(({ row }) => row),
    pagination: {
      page: 1,
      limit,
      total: rows.length,
      totalPages: Math.ceil(rows.length / limit),
      nextCursor: last && remaining.length > limit ? encodeCursor(scope, last.key) : null,
    },
  }
}
