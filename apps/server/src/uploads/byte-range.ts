export interface Range {
  start: number
  end: number
}

/**
 * Parses a Range header (RFC 9110) for a file of `size` bytes. Null means the whole file, also for a malformed header or several
 * ranges; `unsatisfiable` means that the range starts after the end.
 */
export function rangeOf(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return null
  if (from === '') return suffixOf(Number(to), size)
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}

const suffixOf = (length: number, size: number): Range | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
