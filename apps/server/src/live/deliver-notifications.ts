import type { Db } from '@community/db'
import type { Cursor } from './cursor.ts'
import { findNotificationsAfter, NOTIFICATIONS_MAX, type NotificationRow } from './queries.ts'
import type { Stream } from './stream.ts'

/** Whether `Last-Event-ID` is newer than the database, as after a backup was restored. */
const isAhead = ({ cursor, resumeFrom }: Stream, newest: number): boolean =>
  cursor === undefined && resumeFrom !== undefined && Math.max(resumeFrom.low, ...resumeFrom.seen) > newest

/** The cursor of what the client has received: from `Last-Event-ID` at the stream's first poll; undefined for a client that starts now. */
const baseOf = (stream: Stream, newest: number): Cursor | undefined =>
  stream.cursor ?? (isAhead(stream, newest) ? undefined : stream.resumeFrom)

interface Sequences {
  /** No notification can be committed any more up to this one. */
  watermark: number
  /** The last one that PostgreSQL has assigned. */
  newest: number
}

/** Sends a stream the notifications that it lacks. `rows` are its user's after its base, oldest first. */
function deliver(stream: Stream, rows: readonly NotificationRow[], { watermark, newest }: Sequences): void {
  const base = baseOf(stream, newest)
  const isFirst = stream.cursor === undefined
  // Another process may have written the base with a later watermark.
  const low = Math.max(watermark, base?.low ?? 0)
  const seen = new Set(base?.seen)
  const fresh = base ? rows.filter(({ sequence }) => sequence > base.low && !seen.has(sequence)) : []
  const isReset = isAhead(stream, newest) || fresh.length > NOTIFICATIONS_MAX
  const complete: Cursor = { low, seen: rows.map(({ sequence }) => sequence).filter((sequence) => sequence > low) }

  if (isFirst) {
    stream.cursor = base && !isReset ? base : complete
    stream.sendState('ready')
  }
  if (isReset) {
    stream.cursor = complete
    return stream.sendState('reset')
  }
  for (const { id, kind, sequence } of fresh) {
    seen.add(sequence)
    const reached = Math.max(base?.low ?? 0, Math.min(sequence, low))
    stream.cursor = { low: reached, seen: [...seen].filter((other) => other > reached) }
    stream.send('notifications', { id, kind })
  }
  stream.cursor = complete
}

/** Sends every stream the notifications of its user that it does not have. */
export async function deliverNotifications(db: Db, streams: readonly Stream[], sequences: Sequences): Promise<void> {
  const { watermark, newest } = sequences
  const lowOf = new Map<string, number>()
  // Not `watermark`: it may have passed a notification that was committed since the last poll.
  const due = streams.filter(({ cursor }) => cursor === undefined || newest > cursor.low)
  for (const stream of due) {
    const userId = stream.caller?.id
    const low = baseOf(stream, newest)?.low ?? watermark
    if (userId !== undefined && stream.topics.has('notifications'))
      lowOf.set(userId, Math.min(low, lowOf.get(userId) ?? low))
  }
  const rowsOf = new Map<string, NotificationRow[]>()
  const rows = await findNotificationsAfter(
    db,
    Array.from(lowOf, ([userId, low]) => ({ userId, low })),
  )
  for (const row of rows) {
    const own = rowsOf.get(row.userId) ?? []
    rowsOf.set(row.userId, own)
    own.push(row)
  }
  for (const stream of due) deliver(stream, rowsOf.get(stream.caller?.id ?? '') ?? [], sequences)
}
