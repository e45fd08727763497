interface ParsedRange {
  start: number
  end: number
}

export const RANGE_PATTERN = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * Parses a Range header (RFC 9110) for a file of `size` bytes. Null means the whole file, also for a malformed header or several
 * ranges; `unsatisfiable` means that the range starts after the end.
 */
export function parseRange(header: string | undefined, size: number): ParsedRange | 'unsatisfiable' | null {
  const match = RANGE_PATTERN.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') return suffixRange(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}

const suffixRange = (length: number, size: number): ParsedRange | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
