import { describe, expect, it } from 'vitest'
import { formatInstant } from './format.ts'
import { activateLanguage } from './i18n.ts'
import { fromWallClock, minutesAhead, toWallClock } from './viewer-zone.ts'

// Morocco has used UTC+0 all year since 2026-09-20. Older time zone databases still say UTC+1.
const after = new Date('2026-11-25T17:00:00Z')
const oldTable = () => '02'

describe('a wall clock', () => {
  const casablanca = (table: () => string) => ['Africa/Casablanca', table] as const

  it('ignores an outdated database of Morocco after the change', () => {
    expect(fromWallClock('2026-11-25T17:00', ...casablanca(oldTable))).toEqual(after)
    expect(toWallClock(after, ...casablanca(oldTable))).toBe('2026-11-25T17:00')
    expect(minutesAhead(after, ...casablanca(oldTable))).toBe(0)
  })

  it.each(['2026-11-25T17:00', '2026-07-01T08:30'])('is that of the device outside Morocco: %s', (local) => {
    expect(fromWallClock(local, 'Europe/Paris', oldTable)).toEqual(new Date(local))
    expect(toWallClock(new Date(local), 'Europe/Paris', oldTable)).toBe(local)
    expect(minutesAhead(new Date(local), 'Europe/Paris')).toBe(-new Date(local).getTimezoneOffset())
  })

  it('is an invalid date if it is empty', () => expect(fromWallClock('').getTime()).toBeNaN())
})

describe('formatInstant', () => {
  it('shows the UTC offset of the viewer’s zone', async () => {
    expect(formatInstant(after, 'Asia/Kolkata')).toBe('25 Nov 2026, 22:30 GMT+5:30')
    expect(formatInstant(after, 'Africa/Casablanca')).toMatch(/^25 Nov 2026, 17:00 GMT(\+0)?$/)
    await activateLanguage('fr')
    expect(formatInstant(after, 'Africa/Casablanca')).toContain('UTC')
    expect(formatInstant(after, 'Europe/Paris')).toMatch(/18:00 UTC\+1$/)
    await activateLanguage('ar')
    expect(formatInstant(after, 'Asia/Kolkata')).toMatch(/\u2066\+5:30\u2069$/)
  })
})
