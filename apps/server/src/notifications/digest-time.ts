import { DEFAULT_NOTIFICATION_SETTINGS, isTimeZone, type NotificationSettings, timeZoneAt } from '@community/contract'

const DAY_MS = 24 * 60 * 60 * 1000

/** When a person wants digests. */
export type DigestHours = Pick<NotificationSettings, 'digestHour' | 'digestWeekday' | 'timeZone'>
export interface DigestTimes extends DigestHours {
  frequency: 'daily' | 'weekly'
}

/** The stored time zone, or the default if this runtime does not know it. */
export const usableTimeZone = (stored: string): string =>
  isTimeZone(stored) ? stored : DEFAULT_NOTIFICATION_SETTINGS.timeZone

/** A time zone's clock at an instant, as the milliseconds of a UTC date that shows the same. */
type WallClock = (at: number) => number

function wallClockOf(timeZone: string): WallClock {
  const formats: Record<string, Intl.DateTimeFormat> = {}
  return (at) => {
    const zone = timeZoneAt(new Date(at), timeZone)
    formats[zone] ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
    return Date.parse(`${formats[zone].format(at).replace(' ', 'T')}Z`)
  }
}

/** The instant at which a clock shows this; the moment after the gap for a time that it skips. */
function instantOf(shown: number, wallClock: WallClock): number {
  const guess = shown - (wallClock(shown) - shown)
  const corrected = shown - (wallClock(guess) - guess)
  return wallClock(corrected) === shown ? corrected : Math.max(guess, corrected)
}

/** The latest time, at or before `now`, at which a digest was due. */
export function lastDigestTime({ frequency, digestHour, digestWeekday, timeZone }: DigestTimes, now: Date): Date {
  const wallClock = wallClockOf(timeZone)
  const local = wallClock(now.getTime())
  const today = local - (((local % DAY_MS) + DAY_MS) % DAY_MS)
  // 1 is Monday.
  const weekday = new Date(today).getUTCDay() || 7
  const period = frequency === 'daily' ? 1 : 7
  const days = frequency === 'daily' ? 0 : (weekday - digestWeekday + 7) % 7
  const latest = instantOf(today - days * DAY_MS + digestHour * 3_600_000, wallClock)
  if (latest <= now.getTime()) return new Date(latest)
  return new Date(instantOf(today - (days + period) * DAY_MS + digestHour * 3_600_000, wallClock))
}
