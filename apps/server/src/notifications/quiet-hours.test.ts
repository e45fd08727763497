import { describe, expect, it } from 'vitest'
import { endOfQuietHours } from './quiet-hours.ts'

const endOf = (now: string, from = '22:00', to = '07:00', timeZone = 'Africa/Casablanca') =>
  endOfQuietHours({ quietHours: { from, to }, timeZone }, new Date(now))?.toISOString() ?? null

describe('quiet hours', () => {
  it('do not exist without settings, and end exactly at the minute', () => {
    expect(endOfQuietHours({ quietHours: null, timeZone: 'UTC' }, new Date())).toBeNull()
    expect(endOf('2026-06-01T06:59:59Z', '22:00', '07:00', 'UTC')).toBe('2026-06-01T07:00:00.000Z')
    expect(endOf('2026-06-01T07:00:00Z', '22:00', '07:00', 'UTC')).toBeNull()
    expect(endOf('2026-06-01T21:59:59Z', '22:00', '07:00', 'UTC')).toBeNull()
  })

  it('last over midnight, or within a day', () => {
    expect(endOf('2026-06-01T21:30:10Z')).toBe('2026-06-02T06:00:00.000Z')
    expect(endOf('2026-06-02T02:00:00Z')).toBe('2026-06-02T06:00:00.000Z')
    expect(endOf('2026-06-02T12:30:00Z', '13:00', '14:00')).toBe('2026-06-02T13:00:00.000Z')
  })

  it('end by the new clock on the days when Morocco changes it for Ramadan', () => {
    // Ramadan 2026: UTC+1 until 15 February 03:00, UTC until 22 March 02:00.
    expect(endOf('2026-02-14T22:00:00Z')).toBe('2026-02-15T07:00:00.000Z')
    expect(endOf('2026-03-21T23:00:00Z')).toBe('2026-03-22T06:00:00.000Z')
  })

  it('end by Morocco’s clock of UTC+0 since 20 September 2026', () => {
    expect(endOf('2026-09-19T22:00:00Z')).toBe('2026-09-20T07:00:00.000Z')
    expect(endOf('2026-11-30T06:30:00Z')).toBe('2026-11-30T07:00:00.000Z')
    expect(endOf('2026-11-30T21:30:00Z')).toBeNull()
  })

  it('end after the gap when the clock skips their end', () => {
    expect(endOf('2026-03-29T00:30:00Z', '22:00', '02:30', 'Europe/Paris')).toBe('2026-03-29T01:30:00.000Z')
  })
})
