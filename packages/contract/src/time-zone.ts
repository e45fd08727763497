/** Morocco moved permanently from UTC+1 to UTC+0 at this instant. Older time zone databases do not know it. */
const MOROCCO_AT_UTC = Date.UTC(2026, 8, 20, 1)
const MOROCCAN_ZONES = new Set(['Africa/Casablanca', 'Africa/El_Aaiun'])

// Creating a format is slow, and there are at most two of them.
const formats: Record<string, Intl.DateTimeFormat> = {}
const hourIn = (timeZone: string, instant: number): string => {
  formats[timeZone] ??= new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  return formats[timeZone].format(instant)
}

/** The hour of an instant by this runtime's time zone database; tests replace it by an old one. */
export type HourInZone = (zone: string, instant: number) => string

/** Returns `zone`, or `UTC` for a Moroccan one after the change if this runtime's database predates it and would be an hour off. */
export function timeZoneAt(instant: Date, zone: string, table: HourInZone = hourIn): string {
  const isOutdated =
    MOROCCAN_ZONES.has(zone) && instant.getTime() >= MOROCCO_AT_UTC && table(zone, MOROCCO_AT_UTC) !== '01'
  return isOutdated ? 'UTC' : zone
}

/** Isolates the UTC offset at the end of a formatted time: beside Arabic letters its sign would be drawn after the number. */
export const isolateOffset = (text: string): string => text.replace(/[+\-\u2212][\d:]+$/, '\u2066$&\u2069')
