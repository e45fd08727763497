/** The notifications a stream has delivered: all up to `low`, and these after it. */
export interface Cursor {
  low: number
  seen: readonly number[]
}

/** Sequences after `low` that an event's id can name; beyond them a resumed stream repeats some. */
const SEEN_MAX = 50
export const CURSOR_PATTERN = /^\d{1,15}(?:\+\d{1,15}){0,50}$/

/**
 * The id of an event. A sequence alone would not do: a smaller one may be committed after the stream has delivered it, and a stream
 * resumed after the larger would lose it.
 */
export const formatCursor = ({ low, seen }: Cursor): string => [low, ...seen.slice(-SEEN_MAX)].join('+')

/** The cursor of a `Last-Event-ID` header; undefined for one that the server has not written. */
export function parseCursor(id: string): Cursor | undefined {
  if (!CURSOR_PATTERN.test(id)) return undefined
  const [low = 0, ...seen] = id.split('+').map(Number)
  return { low, seen }
}
