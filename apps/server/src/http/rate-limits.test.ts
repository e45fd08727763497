import { setTimeout as sleep } from 'node:timers/promises'
import { appErrors } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../test/stage.ts'
import { limitWrongAttempts, releaseSlot, type AttemptLimit, takeSlotsOrThrow, takeSlot } from './rate-limits.ts'

let stage: Stage
let elsewhere: Stage['db']
beforeAll(async () => {
  stage = await openStage()
  elsewhere = stage.anotherPool().db
})
afterAll(() => stage.close())

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
/** Calls from two processes in turn. */
const from = (index: number) => (index % 2 === 0 ? stage.db : elsewhere)

describe('slots', () => {
  it('are never taken more often than there are, by whatever process', async () => {
    const taken = await many(60, (index) => takeSlot(from(index), 'race', { max: 7, seconds: 60 }))
    expect(taken.filter(({ isTaken }) => isTaken)).toHaveLength(7)
    for (const { isTaken, cooldown } of taken) if (!isTaken) expect(cooldown).toBeGreaterThan(50)
  })

  it('are there again when the window is over, or when one is given back', async () => {
    const limit = { max: 1, seconds: 60 }
    const take = async () => (await takeSlot(stage.db, 'again', limit)).isTaken
    expect([await take(), await take()]).toEqual([true, false])
    await releaseSlot(stage.db, 'again')
    expect([await take(), await take()]).toEqual([true, false])
    await stage.sql`update rate_limits set resets_at = now() - interval '1 second' where key = 'again'`
    expect([await take(), await take()]).toEqual([true, false])
    for (let more = 0; more < 3; more++) await releaseSlot(stage.db, 'again')
    expect([await take(), await take()]).toEqual([true, false])
  })

  it('of several limits are taken together or not at all', async () => {
    const each = [
      { key: 'wide', max: 5, seconds: 60 },
      { key: 'narrow', max: 2, seconds: 60 },
    ]
    for (let again = 0; again < 2; again++) await takeSlotsOrThrow(stage.db, each)
    for (let again = 0; again < 4; again++)
      await expect(takeSlotsOrThrow(stage.db, each)).rejects.toMatchObject({
        definition: { code: 'TOO_MANY_REQUESTS' },
      })
    const [wide] = await stage.sql`select count from rate_limits where key = 'wide'`
    expect(wide?.count).toBe(2)
  })
})

describe('attempts', () => {
  let round = 0
  const guard = (over: Partial<AttemptLimit> = {}): AttemptLimit => ({
    key: `guard-${round++}`,
    max: 5,
    seconds: 60,
    fault: appErrors.adminPasswordLocked,
    ...over,
  })
  const attempts = async (count: number, guards: AttemptLimit[], attempt: (index: number) => Promise<boolean>) => {
    let evaluated = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, (_, index) =>
        limitWrongAttempts(from(index), guards, async () => {
          evaluated++
          await sleep(20)
          return attempt(index)
        }),
      ),
    )
    const right = outcomes.filter((one) => one.status === 'fulfilled' && one.value).length
    const refused = outcomes.filter((one) => one.status === 'rejected').length
    return { evaluated, right, refused }
  }
  const isWrong = () => Promise.resolve(false)
  const isRight = () => Promise.resolve(true)

  it('that are wrong are made five times, of fifty at once in two processes', async () => {
    const guards = [guard()]
    expect(await attempts(50, guards, isWrong)).toEqual({ evaluated: 5, right: 0, refused: 45 })
    expect(await attempts(1, guards, isRight)).toEqual({ evaluated: 0, right: 0, refused: 1 })
  })

  it('that are right all pass, forty at once in two processes', async () => {
    const guards = [guard()]
    expect(await attempts(40, guards, isRight)).toEqual({ evaluated: 40, right: 40, refused: 0 })
    expect(await attempts(50, guards, isWrong)).toEqual({ evaluated: 5, right: 0, refused: 45 })
  })

  it('that are right pass beside four wrong ones', async () => {
    const guards = [guard()]
    const outcome = await attempts(24, guards, (index) => Promise.resolve(index >= 4))
    expect(outcome).toEqual({ evaluated: 24, right: 20, refused: 0 })
  })

  it('that could not be made are not counted', async () => {
    const guards = [guard({ max: 1 })]
    const broken = () => Promise.reject(new Error('away'))
    for (let again = 0; again < 3; again++)
      await expect(limitWrongAttempts(stage.db, guards, broken)).rejects.toThrow('away')
    expect(await attempts(1, guards, isRight)).toMatchObject({ right: 1 })
  })

  it('that one guard refuses cost nothing at the others', async () => {
    const wide = guard({ max: 8 })
    const narrow = guard({ max: 2 })
    expect(await attempts(20, [wide, narrow], isWrong)).toEqual({ evaluated: 2, right: 0, refused: 18 })
    expect(await attempts(20, [wide], isWrong)).toEqual({ evaluated: 6, right: 0, refused: 14 })
  })

  it('of processes that crashed keep nobody waiting for long, and are not taken for wrong ones', async () => {
    const own = guard({ max: 2 })
    // They hang: as good as dead.
    const crash = new AbortController()
    const hanging = many(2, () =>
      limitWrongAttempts(elsewhere, [own], () => sleep(60_000, false, { signal: crash.signal })),
    )
    hanging.catch(() => {})
    const attemptsUnderWay = async () =>
      (await stage.sql`select under_way from rate_limits where key = ${own.key}`)[0]?.under_way
    await expect.poll(attemptsUnderWay, { timeout: 10_000 }).toBe(2)
    // Nobody knows yet that they crashed, and nobody says that two were wrong.
    await expect(limitWrongAttempts(stage.db, [own], isRight)).rejects.toMatchObject({
      definition: { code: 'TOO_MANY_REQUESTS', cooldown: 10 },
    })
    await stage.sql`update rate_limits set under_way_until = now() where key = ${own.key}`
    expect(await attempts(10, [own], isRight)).toMatchObject({ right: 10 })
    expect(await attempts(10, [own], isWrong)).toEqual({ evaluated: 2, right: 0, refused: 8 })
    crash.abort()
  })
})
