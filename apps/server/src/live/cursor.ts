import { NOTIFICATIONS_MAX } from './queries.ts'

/** The notifications that a stream has delivered, by their sequences: all up to `low`, and those in `seen` after it. */
export interface Cursor {
  low: number
  seen: readonly number[]
}

/** Sequences after `low` in an event's id, at most: as many as the rows that a resumed stream reads, so that it repeats none. */
export const SEEN_MAX = NOTIFICATIONS_MAX + 1
export const CURSOR_PATTERN = new RegExp(`^\\d{1,15}(?:\\+\\d{1,15}){0,${SEEN_MAX}}$`)

/**
 * The id of an event. A sequence alone would not do: a smaller one may be committed after the stream has delivered it, and a stream
 * resumed after the larger would lose it.
 */
export const formatCursor = ({ low, seen }: Cursor): string =>
  [low, ...seen.toSorted((a, b) => a - b).slice(-SEEN_MAX)].join('+')

/** The cursor of a `Last-Event-ID` header; undefined for one that the server has not written. */
export function parseCursor(id: string): Cursor | undefined {
  if (!CURSOR_PATTERN.test(id)) return undefined
  const [low = 0, ...seen] = id.split('+').map(Number)
  return { low, seen }
}
