import { expect, it } from 'vitest'
import { createTokenBuckets } from './token-bucket.ts'

const withClock = () => {
  const clock = { ms: 0 }
  return { clock, buckets: createTokenBuckets({ capacity: 100, windowSeconds: 20, now: () => clock.ms }) }
}

it('starts full and refills continuously up to its capacity', () => {
  const { clock, buckets } = withClock()
  expect(buckets.stateOf('a')).toEqual({ remaining: 100, secondsUntilFull: 0 })
  buckets.spend('a', 100)
  expect(buckets.stateOf('a')).toEqual({ remaining: 0, secondsUntilFull: 20 })
  expect(buckets.millisecondsUntil('a', 10)).toBe(2000)
  clock.ms = 2000
  expect(buckets.millisecondsUntil('a', 10)).toBe(0)
  expect(buckets.stateOf('a').remaining).toBe(10)
  clock.ms = 60_000
  expect(buckets.stateOf('a').remaining).toBe(100)
})

it('allows a negative balance, which later waits include', () => {
  const { buckets } = withClock()
  buckets.spend('a', 150)
  expect(buckets.stateOf('a')).toEqual({ remaining: 0, secondsUntilFull: 30 })
  expect(buckets.millisecondsUntil('a', 5)).toBe(11_000)
})

it('keeps a bucket per key', () => {
  const { buckets } = withClock()
  buckets.spend('a', 100)
  expect(buckets.millisecondsUntil('b', 100)).toBe(0)
})

it('does not wait for more tokens than the capacity', () => {
  const { buckets } = withClock()
  expect(buckets.millisecondsUntil('a', 1000)).toBe(0)
})
