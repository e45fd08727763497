import { isolateOffset, timeZoneAt } from '../time-zone.ts'
import type { Language } from '../users/schemas.ts'
import { type NotificationKindName, notificationKindOf } from './kinds.ts'

/** A notification as its reader sees it. */
export interface RenderedNotification {
  /** The title line. */
  text: string
  /** Text that a person wrote, such as feedback; null without it. */
  detail: string | null
  /** The hash of the place in the web app that it leads to. */
  href: string
}

export const LOCALES: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR', ar: 'ar-MA' }
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Keeps a name from changing the direction of the sentence around it. */
const isolate = (language: Language, value: string): string =>
  language === 'ar' || RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value

/** A date and time with its zone, in the reader’s language. */
export const formatTime = (language: Language, instant: Date, timeZone: string): string => {
  const text = new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZoneAt(instant, timeZone),
    timeZoneName: 'short',
  }).format(instant)
  return language === 'ar' ? isolateOffset(text) : text
}

/** A stored notification in the reader’s language; times are shown in `timeZone`. */
export function renderNotification(
  name: NotificationKindName,
  params: Readonly<Record<string, string | number | null>>,
  { language, timeZone = 'UTC' }: { language: Language; timeZone?: string },
): RenderedNotification {
  const kind = notificationKindOf(name)
  const detail = kind.detail === undefined ? null : params[kind.detail]
  const show = (param: string): string => {
    const value = String(params[param] ?? '')
    const valueTexts = kind.valueTexts?.[param]
    const valueText = valueTexts && Object.hasOwn(valueTexts, value) ? valueTexts[value] : undefined
    const translations = value === '' ? kind.nullTexts?.[param] : valueText
    if (translations) return translations[language]
    return kind.times?.includes(param) ? formatTime(language, new Date(value), timeZone) : isolate(language, value)
  }
  return {
    text: kind.text[language].replace(/\{(\w+)\}/g, (_, param: string) => show(param)),
    detail: typeof detail === 'string' && detail !== '' ? detail : null,
    href: kind.href(params),
  }
}
