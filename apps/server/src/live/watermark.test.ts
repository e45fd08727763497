import { expect, it } from 'vitest'
import { formatCursor, parseCursor, SEEN_MAX } from './cursor.ts'
import { createWatermark } from './watermark.ts'

const at = (sequence: number) => ({ time: `t${sequence}`, sequence })

it('advances to a moment once every transaction that was running then has ended', () => {
  const watermark = createWatermark(at(0))
  watermark.advance(at(10), { xmin: 100n, xmax: 105n }, 0)
  // Statements that were running then may still get their transaction's id.
  watermark.advance(at(12), { xmin: 106n, xmax: 106n }, 4000)
  expect(watermark.get()).toEqual(at(0))
  watermark.advance(at(15), { xmin: 104n, xmax: 110n }, 5000)
  watermark.advance(at(20), { xmin: 109n, xmax: 130n }, 60_000)
  expect(watermark.get()).toEqual(at(0))
  watermark.advance(at(30), { xmin: 110n, xmax: 140n }, 61_000)
  expect(watermark.get()).toEqual(at(10))
})

it('does not advance while one transaction stays open', () => {
  const watermark = createWatermark(at(0))
  for (let second = 0; second < 600; second++)
    watermark.advance(at(second), { xmin: 7n, xmax: BigInt(8 + second) }, second * 1000)
  expect(watermark.get()).toEqual(at(0))
})

it.each([
  { low: 0, seen: [] },
  { low: 12, seen: [14, 15, 20] },
])('reads the cursor that it wrote: %o', (cursor) => {
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
})

it('writes only the highest sequences into an id, as many as a resumed stream reads', () => {
  const seen = Array.from({ length: SEEN_MAX + 20 }, (_, index) => index + 10)
  const cursor = parseCursor(formatCursor({ low: 5, seen: seen.toReversed() }))
  expect(cursor).toEqual({ low: 5, seen: seen.slice(-SEEN_MAX) })
})

it.each(['', 'abc', '1+', '+1', '-1', '1 2', '1'.repeat(16), '1e3'])('rejects the id %j', (id) => {
  expect(parseCursor(id)).toBeUndefined()
})
