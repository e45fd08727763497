import { expect, it } from 'vitest'
import { createTokenBuckets } from './token-bucket.ts'

const atClock = () => {
  const clock = { ms: 0 }
  return { clock, buckets: createTokenBuckets({ capacity: 100, windowSeconds: 20, now: () => clock.ms }) }
}

it('holds its capacity at first, and is refilled steadily up to that', () => {
  const { clock, buckets } = atClock()
  expect(buckets.stateOf('a')).toEqual({ remaining: 100, seconds: 0 })
  buckets.spend('a', 100)
  expect(buckets.stateOf('a')).toEqual({ remaining: 0, seconds: 20 })
  expect(buckets.waitFor('a', 10)).toBe(2000)
  clock.ms = 2000
  expect(buckets.waitFor('a', 10)).toBe(0)
  expect(buckets.stateOf('a').remaining).toBe(10)
  clock.ms = 60_000
  expect(buckets.stateOf('a').remaining).toBe(100)
})

it('may owe tokens, which later ones wait for too', () => {
  const { buckets } = atClock()
  buckets.spend('a', 150)
  expect(buckets.stateOf('a')).toEqual({ remaining: 0, seconds: 30 })
  expect(buckets.waitFor('a', 5)).toBe(11_000)
})

it('has one bucket per key', () => {
  const { buckets } = atClock()
  buckets.spend('a', 100)
  expect(buckets.waitFor('b', 100)).toBe(0)
})

it('never waits for more than it can hold', () => {
  const { buckets } = atClock()
  expect(buckets.waitFor('a', 1000)).toBe(0)
})
