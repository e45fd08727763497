import { setTimeout as sleep } from 'node:timers/promises'
import { appErrors } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import {
  limitWrongAttempts,
  releaseSlot,
  type AttemptLimit,
  consumeRateLimits,
  tryConsumeRateLimit,
} from './rate-limits.ts'

const fixture = await openFixture()
const otherDb = fixture.openPool().db
afterAll(() => fixture.close())

const runMany = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
/** Alternates between the pools of two processes. */
const dbOf = (index: number) => (index % 2 === 0 ? fixture.db : otherDb)

describe('rate limits', () => {
  it('never takes more slots than the limit, across processes', async () => {
    const accepted = await runMany(60, (index) => tryConsumeRateLimit(dbOf(index), 'race', { max: 7, seconds: 60 }))
    expect(accepted.filter(({ isConsumed }) => isConsumed)).toHaveLength(7)
    for (const { isConsumed, cooldown } of accepted) if (!isConsumed) expect(cooldown).toBeGreaterThan(50)
  })

  it('takes a slot again after its release or the end of the window', async () => {
    const limit = { max: 1, seconds: 60 }
    const take = async () => (await tryConsumeRateLimit(fixture.db, 'again', limit)).isConsumed
    expect([await take(), await take()]).toEqual([true, false])
    await releaseSlot(fixture.db, 'again')
    expect([await take(), await take()]).toEqual([true, false])
    await fixture.clock.resetLimits({ key: 'again' })
    expect([await take(), await take()]).toEqual([true, false])
    for (let more = 0; more < 3; more++) await releaseSlot(fixture.db, 'again')
    expect([await take(), await take()]).toEqual([true, false])
  })

  it('takes the slots of several limits together or not at all', async () => {
    const limits = [
      { key: 'wide', max: 5, seconds: 60 },
      { key: 'narrow', max: 2, seconds: 60 },
    ]
    for (let again = 0; again < 2; again++) await consumeRateLimits(fixture.db, limits)
    for (let again = 0; again < 4; again++)
      await expect(consumeRateLimits(fixture.db, limits)).rejects.toMatchObject({
        definition: { code: 'TOO_MANY_REQUESTS' },
      })
    const [wide] = await fixture.sql`select count from rate_limits where key = 'wide'`
    expect(wide?.count).toBe(2)
  })
})

describe('limitWrongAttempts', () => {
  let round = 0
  const newLimit = (overrides: Partial<AttemptLimit> = {}): AttemptLimit => ({
    key: `limit-${round++}`,
    max: 5,
    seconds: 60,
    error: appErrors.adminPasswordLocked,
    ...overrides,
  })
  const attempts = async (count: number, limits: AttemptLimit[], attempt: (index: number) => Promise<boolean>) => {
    let evaluated = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, (_, index) =>
        limitWrongAttempts(dbOf(index), limits, async () => {
          evaluated++
          await sleep(20)
          return attempt(index)
        }),
      ),
    )
    const correct = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected').length
    return { evaluated, correct, rejected }
  }
  const wrongAttempt = () => Promise.resolve(false)
  const correctAttempt = () => Promise.resolve(true)

  it('runs five of fifty concurrent wrong attempts, across two processes', async () => {
    const limits = [newLimit()]
    expect(await attempts(50, limits, wrongAttempt)).toEqual({ evaluated: 5, correct: 0, rejected: 45 })
    expect(await attempts(1, limits, correctAttempt)).toEqual({ evaluated: 0, correct: 0, rejected: 1 })
  })

  it('runs all of forty concurrent correct attempts, across two processes', async () => {
    const limits = [newLimit()]
    expect(await attempts(40, limits, correctAttempt)).toEqual({ evaluated: 40, correct: 40, rejected: 0 })
    expect(await attempts(50, limits, wrongAttempt)).toEqual({ evaluated: 5, correct: 0, rejected: 45 })
  })

  it('runs all correct attempts beside four wrong ones', async () => {
    const limits = [newLimit()]
    const outcome = await attempts(24, limits, (index) => Promise.resolve(index >= 4))
    expect(outcome).toEqual({ evaluated: 24, correct: 20, rejected: 0 })
  })

  it('does not count attempts that throw', async () => {
    const limits = [newLimit({ max: 1 })]
    const broken = () => Promise.reject(new Error('unavailable'))
    for (let again = 0; again < 3; again++)
      await expect(limitWrongAttempts(fixture.db, limits, broken)).rejects.toThrow('unavailable')
    expect(await attempts(1, limits, correctAttempt)).toMatchObject({ correct: 1 })
  })

  it('does not count an attempt that another limit rejects', async () => {
    const wide = newLimit({ max: 8 })
    const narrow = newLimit({ max: 2 })
    expect(await attempts(20, [wide, narrow], wrongAttempt)).toEqual({ evaluated: 2, correct: 0, rejected: 18 })
    expect(await attempts(20, [wide], wrongAttempt)).toEqual({ evaluated: 6, correct: 0, rejected: 14 })
  })

  it('holds the slots of an attempt that takes twenty seconds', async () => {
    const limit = newLimit({ max: 1 })
    const slow = limitWrongAttempts(otherDb, [limit], async () => {
      await fixture.sql`update rate_limits set under_way_until = under_way_until - interval '20 seconds' where key = ${limit.key}`
      expect(await attempts(3, [limit], wrongAttempt)).toEqual({ evaluated: 0, correct: 0, rejected: 3 })
      return true
    })
    expect(await slow).toBe(true)
  })

  it('frees the leases of a crashed process without counting wrong attempts', async () => {
    const limit = newLimit({ max: 2 })
    // Hanging attempts stand in for a crashed process.
    const crash = new AbortController()
    const hanging = runMany(2, () =>
      limitWrongAttempts(otherDb, [limit], () => sleep(60_000, false, { signal: crash.signal })),
    )
    hanging.catch(() => {})
    const attemptsUnderWay = async () =>
      (await fixture.sql`select under_way from rate_limits where key = ${limit.key}`)[0]?.under_way
    await expect.poll(attemptsUnderWay).toBe(2)
    // Until the leases expire this is too many requests, not a lockout.
    await expect(limitWrongAttempts(fixture.db, [limit], correctAttempt)).rejects.toMatchObject({
      definition: { code: 'TOO_MANY_REQUESTS', cooldown: 10 },
    })
    await fixture.clock.expireChecks()
    expect(await attempts(10, [limit], correctAttempt)).toMatchObject({ correct: 10 })
    expect(await attempts(10, [limit], wrongAttempt)).toEqual({ evaluated: 2, correct: 0, rejected: 8 })
    crash.abort()
  })
})
