import type { Language } from '@community/contract'
import { appNameIn, DEFAULT_APP_NAME } from './app-name.ts'
import { escapeHtml } from './escape-html.ts'
import { COLOURS, STYLE } from './style.ts'
import { MAIL_TEXTS, type MailLine, type MailTemplate } from './texts.ts'

export type { MailTemplate }

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

type Values = Record<string, string>

/** Replaces control characters and line breaks, so that a value cannot add lines. */
export const toOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

function getValue(values: Values, name: string): string {
  const value = values[name]
  if (value === undefined) throw new Error(`The mail value {${name}} is missing`)
  return toOneLine(value)
}

const fillPlaceholders = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => getValue(values, name))

/** Names of the values that people wrote, in any language. */
const WRITTEN_BY_PEOPLE = new Set(['name', 'reason'])

function renderHtmlLine(line: MailLine, values: Values, direction: 'ltr' | 'rtl'): string {
  if (typeof line === 'string') return `<p class="line">${escapeHtml(fillPlaceholders(line, values))}</p>`
  const [label, name] = line
  // An explicit direction for our texts, because "Chrome على Android" starts with a Latin letter in an Arabic text.
  const dir = WRITTEN_BY_PEOPLE.has(name) ? 'auto' : direction
  return `<p class="line"><span class="label">${escapeHtml(label)}</span><br><bdi dir="${dir}">${escapeHtml(getValue(values, name))}</bdi></p>`
}

function renderTextLine(line: MailLine, values: Values, language: Language): string {
  if (typeof line === 'string') return fillPlaceholders(line, values)
  const [label, name] = line
  const value = getValue(values, name)
  // French has a narrow no-break space before a colon.
  const colon = language === 'fr' ? '\u202f:' : ':'
  return `${label}${colon} ${WRITTEN_BY_PEOPLE.has(name) ? `\u2068${value}\u2069` : value}`
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** A paragraph with a link, coloured for mail clients that drop the style sheet; those use light mode. */
export const renderLink = (href: string, label: string, direction: 'ltr' | 'rtl'): string =>
  `<p class="line"><a href="${escapeHtml(href)}" dir="${direction}" style="color:${COLOURS.light.link}">${escapeHtml(label)}</a></p>`

/** A mail, or a page that looks like one, with `parts` of HTML. */
export function htmlDocument(language: Language, title: string, parts: string[]): string {
  const direction = directionOf(language)
  const { background, foreground } = COLOURS.light
  return [
    `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body lang="${language}" dir="${direction}" style="background:${background};color:${foreground}"><main class="mail">`,
    ...parts,
    '</main></body></html>',
  ].join('')
}

/**
 * Renders a mail as text and as HTML without images, for dark mode and screen readers. A code comes first in the subject, where phones
 * preview it. Of what other people wrote, values contain only the reason of a ban.
 */
export function renderMail(
  template: MailTemplate,
  language: Language,
  templateValues: Values,
  { appUrl, appName }: { appUrl: string; appName: string },
): RenderedMail {
  const { subject, heading, lines } = MAIL_TEXTS[language][template]
  const values = { ...templateValues, app: appNameIn(language, appName) }
  const { code } = templateValues
  const hasOwnName = appName !== DEFAULT_APP_NAME
  const title = fillPlaceholders(subject, values)
  const direction = directionOf(language)
  const html = htmlDocument(language, title, [
    `<h1>${escapeHtml(heading)}</h1>`,
    ...(code === undefined ? [] : [`<p dir="ltr" class="code">${escapeHtml(toOneLine(code))}</p>`]),
    ...lines.map((line) => renderHtmlLine(line, values, direction)),
    ...(hasOwnName ? [`<p class="line">${escapeHtml(appName)}</p>`] : []),
    renderLink(appUrl, new URL(appUrl).host, 'ltr'),
  ])
  const text = [
    heading,
    ...(code === undefined ? [] : [toOneLine(code)]),
    ...lines.map((line) => renderTextLine(line, values, language)),
    ...(hasOwnName ? [appName] : []),
    appUrl,
  ].join('\n\n')
  return { subject: title, text, html }
}
