import { isolateOffset } from '@community/contract/time-zone'
import { i18n } from '@lingui/core'
import { currentLanguage, t } from './i18n.ts'
import { timeZoneAt } from './viewer-zone.ts'

const intl = () => i18n.locales as string | undefined
// Months are abbreviated as in Morocco.
const dateLocale = () => (i18n.locale === 'fr' ? 'fr-MA' : intl())

/** Keeps a format per language and options: creating one is slow. */
function memoize<Options, Format>(create: (options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>()
  return (options) => {
    const key = `${intl()}${JSON.stringify(options)}`
    const format = formats.get(key) ?? create(options)
    formats.set(key, format)
    return format
  }
}

const numberFormat = memoize((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(intl(), options))
const dateFormat = memoize((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(dateLocale(), options))

/** `1,240` in English, `1 240` in French, `1.240` in Arabic. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(options).format(value)
}

/** A count that stopped at its limit: `1,000+`. */
export const formatCapped = (value: number): string => `${formatNumber(value)}+`

/** A date in the viewer's time zone, by default as "21 Nov 2026". */
export function formatDate(value: Date | string | number, options?: Intl.DateTimeFormatOptions): string {
  const chosen = options ?? { day: 'numeric', month: 'short', year: 'numeric' }
  const instant = new Date(value)
  return dateFormat({ timeZone: timeZoneAt(instant), ...chosen }).format(instant)
}

const WITH_TIME = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const

/** A date with hours and minutes in the viewer's time zone. */
export function formatDateTime(value: Date | string | number): string {
  return formatDate(value, WITH_TIME)
}

/** Date, time and UTC offset: "25 Nov 2026, 18:00 GMT+1". */
export function formatInstant(value: Date | string | number, zone?: string): string {
  const timeZone = timeZoneAt(new Date(value), zone)
  const text = formatDate(value, { ...WITH_TIME, timeZone, timeZoneName: 'shortOffset' })
  return currentLanguage() === 'ar' ? isolateOffset(text) : text
}

/** Megabytes with two decimals. */
export function formatMegabytes(bytes: number): string {
  const size = formatNumber(bytes / 1_048_576, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return t('{size} MB', { size })
}
