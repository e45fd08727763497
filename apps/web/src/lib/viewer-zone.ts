import { timeZoneAt as correctedZone, type HourInZone } from '@community/contract/time-zone'

export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The viewer's time zone at an instant: the device's, or UTC if its database has an outdated Moroccan clock. */
export const timeZoneAt = (instant: Date, zone: string = deviceZone(), table?: HourInZone): string =>
  correctedZone(instant, zone, table)

/** The instant of a value of a datetime-local input, which has no zone, in the viewer's time zone. */
export function fromWallClock(local: string, zone?: string, table?: HourInZone): Date {
  const inUtc = new Date(`${local}Z`)
  return timeZoneAt(inUtc, zone, table) === 'UTC' ? inUtc : new Date(local)
}

/** The viewer's UTC offset at an instant, in minutes. */
export const minutesAhead = (instant: Date, zone?: string, table?: HourInZone): number =>
  timeZoneAt(instant, zone, table) === 'UTC' ? 0 : -instant.getTimezoneOffset()

/** The value of a datetime-local input for an instant, to the minute. */
export const toWallClock = (instant: Date, zone?: string, table?: HourInZone): string =>
  new Date(instant.getTime() + minutesAhead(instant, zone, table) * 60_000).toISOString().slice(0, 16)
