import { formatDate } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'

const DAY_MS = 86_400_000

/** The viewer's day of an instant, to compare. */
const dayOf = (instant: string | number): string =>
  formatDate(instant, { year: 'numeric', month: 'numeric', day: 'numeric' })

/** "Today", "Yesterday" or "Monday 23 November", with the year if it is another one. */
export function dayLabel(instant: string, now: number, t: Translate): string {
  const day = dayOf(instant)
  if (day === dayOf(now)) return t('Today')
  if (day === dayOf(now - DAY_MS)) return t('Yesterday')
  const isThisYear = formatDate(instant, { year: 'numeric' }) === formatDate(now, { year: 'numeric' })
  return formatDate(instant, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** The ids of the rows that begin a day. Rows are sorted by time. */
export function findDayStarts(rows: readonly { id: string; createdAt: string }[]): Set<string> {
  return new Set(
    rows
      .filter(({ createdAt }, index) => {
        const before = rows[index - 1]
        return before === undefined || dayOf(before.createdAt) !== dayOf(createdAt)
      })
      .map(({ id }) => id),
  )
}
