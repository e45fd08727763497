import { type NotificationSettings, timeZoneAt } from '@community/contract'

const DAY = 24 * 60
const MINUTE_MS = 60_000

const toMinutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function localMinutes(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZoneAt(at, timeZone),
  })
  return toMinutes(format.format(at))
}

const isQuiet = (minutes: number, from: number, to: number): boolean =>
  from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to

/** The end of the quiet hours that `now` is in; null outside them. Clock changes in between are allowed for. */
export function endOfQuietHours(
  { quietHours, timeZone }: Pick<NotificationSettings, 'quietHours' | 'timeZone'>,
  now: Date,
): Date | null {
  if (!quietHours) return null
  const [from, to] = [toMinutes(quietHours.from), toMinutes(quietHours.to)]
  const minutes = localMinutes(now, timeZone)
  if (!isQuiet(minutes, from, to)) return null
  const startOfMinute = now.getTime() - (now.getTime() % MINUTE_MS)
  const end = new Date(startOfMinute + ((to - minutes + DAY) % DAY) * MINUTE_MS)
  // After a clock change the wall clock shows another time then.
  const error = ((to - localMinutes(end, timeZone) + 1.5 * DAY) % DAY) - DAY / 2
  const corrected = new Date(end.getTime() + error * MINUTE_MS)
  // A time that the clock skips does not exist: keep the moment after the gap.
  return isQuiet(localMinutes(corrected, timeZone), from, to) ? end : corrected
}
