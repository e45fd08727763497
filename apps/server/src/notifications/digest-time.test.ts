import { describe, expect, it } from 'vitest'
import { type DigestTimes, lastDigestTime } from './digest-time.ts'

const DAY_MS = 86_400_000
// Algiers is at UTC+1 all year.
const daily: DigestTimes = { frequency: 'daily', digestHour: 8, digestWeekday: 1, timeZone: 'Africa/Algiers' }
const weekly: DigestTimes = { ...daily, frequency: 'weekly' }
const last = (times: DigestTimes, now: string) => lastDigestTime(times, new Date(now)).toISOString()

describe('lastDigestTime', () => {
  it('is today’s hour once it has come, else yesterday’s', () => {
    expect(last(daily, '2026-11-26T07:00:00Z')).toBe('2026-11-26T07:00:00.000Z')
    expect(last(daily, '2026-11-26T06:59:59Z')).toBe('2026-11-25T07:00:00.000Z')
    expect(last({ ...daily, timeZone: 'America/Los_Angeles' }, '2026-11-26T15:00:00Z')).toBe('2026-11-25T16:00:00.000Z')
  })

  it('is the weekday’s hour of this week or the last', () => {
    expect(last(weekly, '2026-11-26T12:00:00Z')).toBe('2026-11-23T07:00:00.000Z')
    expect(last({ ...weekly, digestWeekday: 4 }, '2026-11-26T06:00:00Z')).toBe('2026-11-19T07:00:00.000Z')
    expect(last({ ...weekly, digestWeekday: 7 }, '2026-11-26T06:00:00Z')).toBe('2026-11-22T07:00:00.000Z')
  })

  it('follows Morocco’s clock, which goes back for Ramadan', () => {
    // In 2026 from 15 February to 22 March.
    const moroccan = { ...daily, timeZone: 'Africa/Casablanca' }
    expect(last(moroccan, '2026-02-14T12:00:00Z')).toBe('2026-02-14T07:00:00.000Z')
    expect(last(moroccan, '2026-02-15T12:00:00Z')).toBe('2026-02-15T08:00:00.000Z')
    expect(last(moroccan, '2026-03-22T12:00:00Z')).toBe('2026-03-22T07:00:00.000Z')
  })

  it('is an hour later by Morocco’s clock of UTC+0 since 20 September 2026', () => {
    const moroccan = { ...daily, timeZone: 'Africa/Casablanca' }
    expect(last(moroccan, '2026-09-19T12:00:00Z')).toBe('2026-09-19T07:00:00.000Z')
    expect(last(moroccan, '2026-09-20T12:00:00Z')).toBe('2026-09-20T08:00:00.000Z')
    expect(last(moroccan, '2026-11-30T12:00:00Z')).toBe('2026-11-30T08:00:00.000Z')
  })

  it('is the moment after the gap when the clock skips the hour', () => {
    const skipped = { ...daily, digestHour: 2, timeZone: 'Europe/Paris' }
    expect(last(skipped, '2026-03-29T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    expect(last(skipped, '2026-03-29T00:59:59Z')).toBe('2026-03-28T01:00:00.000Z')
  })

  it.each([
    { timeZone: 'Europe/Paris', changes: ['2026-03-29', '2026-10-25'], hours: [2, 3] },
    { timeZone: 'Africa/Casablanca', changes: ['2026-02-15', '2026-03-22', '2026-09-20'], hours: [1, 2, 3] },
    { timeZone: 'America/Havana', changes: ['2026-03-08', '2026-11-01'], hours: [0, 1] },
    { timeZone: 'Asia/Beirut', changes: ['2026-03-29', '2026-10-25'], hours: [0, 23] },
  ])(
    'comes once a day in $timeZone, also at an hour that the clock repeats or skips',
    ({ timeZone, changes, hours }) => {
      for (const [change, digestHour] of changes.flatMap((day) => hours.map((hour) => [day, hour] as const))) {
        const midday = Date.parse(`${change}T12:00:00Z`)
        const times = new Set<number>()
        for (let at = midday - 2 * DAY_MS; at < midday + 2 * DAY_MS; at += 30 * 60_000)
          times.add(lastDigestTime({ ...daily, timeZone, digestHour }, new Date(at)).getTime())
        const gaps = [...times].map((time, index, all) => time - (all[index - 1] ?? time)).slice(1)
        expect(gaps.every((gap) => Math.abs(gap - DAY_MS) <= 3_600_000)).toBe(true)
        expect(times.size).toBe(5)
      }
    },
  )

  it('never goes back and never lies more than a period behind, over a year', () => {
    for (const frequency of ['daily', 'weekly'] as const) {
      let before = 0
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * 3_600_000) {
        const time = lastDigestTime(
          { ...daily, timeZone: 'Europe/Paris', frequency, digestHour: 2 },
          new Date(at),
        ).getTime()
        expect(time).toBeGreaterThanOrEqual(before)
        expect(time).toBeLessThanOrEqual(at)
        expect(at - time).toBeLessThanOrEqual(((frequency === 'daily' ? 1 : 7) * 24 + 1) * 3_600_000)
        before = time
      }
    }
  })
})
