/** A moment of the database. */
interface Moment {
  /** By the database's clock, as text. */
  time: string
  /** The highest sequence that PostgreSQL had assigned to a notification. */
  sequence: number
}

/** The ids of the oldest running transaction (`xmin`), and of the first that had not begun (`xmax`). */
interface Snapshot {
  xmin: bigint
  xmax: bigint
}

/** Milliseconds after which no statement of a moment still runs: longer than `statement_timeout`. */
const STATEMENT_MS = 5000

/**
 * Finds moments before which nothing can be committed any more. Sequences and times are taken when a row is written, but the row becomes
 * visible when its transaction commits, in any order: only before the watermark can no row still appear.
 */
export function createWatermark(first: Moment) {
  let safe = first
  let candidate: (Moment & { at: number; xmax?: bigint }) | undefined
  return {
    get: () => safe,
    /** Advances the watermark by the newest state; `now` in milliseconds. */
    advance(moment: Moment, { xmin, xmax }: Snapshot, now: number): void {
      candidate ??= { ...moment, at: now }
      // A transaction gets its number at its first write, which may be a moment after it took a sequence.
      if (candidate.xmax === undefined && now - candidate.at >= STATEMENT_MS) candidate.xmax = xmax
      if (candidate.xmax === undefined || xmin < candidate.xmax) return
      safe = { time: candidate.time, sequence: candidate.sequence }
      candidate = { ...moment, at: now }
    },
  }
}
export type Watermark = ReturnType<typeof createWatermark>
