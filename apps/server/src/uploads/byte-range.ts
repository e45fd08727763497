export interface Range {
  start: number
  end: number
}

/**
 * What part of `size` bytes a Range header asks for (RFC 9110): null for the whole, also where the header is odd or asks
 * for several parts at once; `unsatisfiable` where it begins after the end.
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
