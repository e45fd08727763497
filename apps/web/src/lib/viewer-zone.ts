/** Morocco moved permanently from UTC+1 to UTC+0 at this instant. Older time zone databases do not know it. */
const MOROCCO_AT_UTC = Date.UTC(2026, 8, 20, 1)
const MOROCCAN_ZONES = new Set(['Africa/Casablanca', 'Africa/El_Aaiun'])

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const hourIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(instant)

/** The hour of an instant by the device's time zone database; tests replace it by an old one. */
type Table = (zone: string, instant: number) => string

/**
 * The viewer's time zone at an instant: the device's, but UTC instead of a Moroccan one if the device's database predates
 * the change of 2026 and would be an hour off.
 */
export function timeZoneAt(instant: Date, zone: string = deviceZone(), table: Table = hourIn): string {
  const isMisled =
    MOROCCAN_ZONES.has(zone) && instant.getTime() >= MOROCCO_AT_UTC && table(zone, MOROCCO_AT_UTC) !== '01'
  return isMisled ? 'UTC' : zone
}

/** The instant of a value of a datetime-local input, which has no zone, in the viewer's time zone. */
export function fromWallClock(local: string, zone?: string, table?: Table): Date {
  const inUtc = new Date(`${local}Z`)
  return timeZoneAt(inUtc, zone, table) === 'UTC' ? inUtc : new Date(local)
}

/** The viewer's UTC offset at an instant, in minutes. */
export const minutesAhead = (instant: Date, zone?: string, table?: Table): number =>
  timeZoneAt(instant, zone, table) === 'UTC' ? 0 : -instant.getTimezoneOffset()

/** The value of a datetime-local input for an instant, to the minute. */
export const toWallClock = (instant: Date, zone?: string, table?: Table): string =>
  new Date(instant.getTime() + minutesAhead(instant, zone, table) * 60_000).toISOString().slice(0, 16)
