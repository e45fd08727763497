import { describe, expect, it } from 'vitest'
import { timeZoneAt } from './time-zone.ts'

// Morocco has used UTC+0 all year since 2026-09-20. Older time zone databases still say UTC+1.
const before = new Date('2026-09-20T00:59:59Z')
const after = new Date('2026-11-25T17:00:00Z')
const oldTable = () => '02'
const newTable = () => '01'

describe('timeZoneAt', () => {
  it.each(['Africa/Casablanca', 'Africa/El_Aaiun'])('ignores an outdated database of %s after the change', (zone) => {
    expect(timeZoneAt(before, zone, oldTable)).toBe(zone)
    expect(timeZoneAt(new Date('2026-09-20T01:00:00Z'), zone, oldTable)).toBe('UTC')
    expect(timeZoneAt(after, zone, oldTable)).toBe('UTC')
  })

  it('trusts a database that knows the change', () => {
    expect(timeZoneAt(after, 'Africa/Casablanca', newTable)).toBe('Africa/Casablanca')
  })

  it('returns other zones unchanged', () => {
    expect(timeZoneAt(after, 'Europe/Paris', oldTable)).toBe('Europe/Paris')
  })

  it('shows the time of UTC in Morocco with the database of this machine', () => {
    const shown = new Intl.DateTimeFormat('en-GB', {
      timeZone: timeZoneAt(after, 'Africa/Casablanca'),
      timeStyle: 'short',
    }).format(after)
    expect(shown).toBe('17:00')
  })
})
