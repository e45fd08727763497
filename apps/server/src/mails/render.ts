import type { Language } from '@community/contract'
import { MAIL_TEXTS, type MailTemplate } from './texts.ts'

export type { MailTemplate }

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const escape = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans Arabic',sans-serif"

/**
 * A mail in its reader's language: plain text, and HTML that reads well without pictures, in dark mode and with a screen
 * reader. The code comes first in the subject, where a phone's preview shows it. Nothing a stranger chose stands in it.
 */
export function renderMail(
  template: MailTemplate,
  language: Language,
  values: Record<string, string>,
  { appUrl }: { appUrl: string },
): RenderedMail {
  const { subject, heading, lines } = MAIL_TEXTS[language][template]
  const { code } = values
  const filled = subject.replace('{code}', code ?? '')
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const shownCode = code
    ? `<p dir="ltr" style="margin:24px 0;font:700 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escape(code)}</p>`
    : ''
  const html = `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(filled)}</title></head><body dir="${direction}" style="margin:0;padding:24px;${FONT};font-size:16px;line-height:1.6"><main style="max-width:480px;margin:0 auto"><h1 style="font-size:20px;margin:0">${escape(heading)}</h1>${shownCode}${lines.map((line) => `<p style="margin:12px 0">${escape(line)}</p>`).join('')}<p style="margin:24px 0 0"><a href="${escape(appUrl)}" dir="ltr">${escape(new URL(appUrl).host)}</a></p></main></body></html>`
  const text = [heading, ...(code ? [code] : []), ...lines, appUrl].join('\n\n')
  return { subject: filled, text, html }
}
