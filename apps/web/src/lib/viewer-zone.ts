/** Morocco went from UTC+1 to UTC+0 for good at this instant. Tables made before that summer do not know it. */
const MOROCCO_AT_UTC = Date.UTC(2026, 8, 20, 1)
const MOROCCAN_ZONES = new Set(['Africa/Casablanca', 'Africa/El_Aaiun'])

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const hourIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(instant)

/** Which hour a device's table gives at an instant; another one stands in for old tables in tests. */
type Table = (zone: string, instant: number) => string

/**
 * The zone whose wall clock a reader lives by at an instant: their device's, unless it is Morocco's and the device's table is
 * from before its change of 2026. Such a table is one hour off from then on; UTC is what it should say.
 */
export function zoneAt(instant: Date, zone: string = deviceZone(), table: Table = hourIn): string {
  const isMisled =
    MOROCCAN_ZONES.has(zone) && instant.getTime() >= MOROCCO_AT_UTC && table(zone, MOROCCO_AT_UTC) !== '01'
  return isMisled ? 'UTC' : zone
}

/**
 * The instant a reader means who sets their clock to `local`, as a datetime-local control writes it: without a zone. Only
 * where `zoneAt` does without the device's table is that not the device's own reading.
 */
export function fromWallClock(local: string, zone?: string, table?: Table): Date {
  const inUtc = new Date(`${local}Z`)
  return zoneAt(inUtc, zone, table) === 'UTC' ? inUtc : new Date(local)
}

/** Minutes by which a reader's clock is ahead of UTC at an instant. */
export const minutesAhead = (instant: Date, zone?: string, table?: Table): number =>
  zoneAt(instant, zone, table) === 'UTC' ? 0 : -instant.getTimezoneOffset()

/** The other way round: an instant as a datetime-local control shows it, to the minute. */
export const toWallClock = (instant: Date, zone?: string, table?: Table): string =>
  new Date(instant.getTime() + minutesAhead(instant, zone, table) * 60_000).toISOString().slice(0, 16)
