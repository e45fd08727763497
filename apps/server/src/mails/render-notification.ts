import type { Language, RenderedNotification } from '@community/contract'
import { escapeHtml } from './escape-html.ts'
import { directionOf, htmlDocument, type RenderedMail, renderLink, toOneLine } from './render.ts'
import { type MailContext, renderFooter } from './render-footer.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

/** Renders the mail of a notification: its sentence, which names teams and people, and links. Texts that members wrote are shown in the app only. */
export function renderNotificationMail(
  language: Language,
  { text: sentence, href }: Pick<RenderedNotification, 'text' | 'href'>,
  context: MailContext,
): RenderedMail {
  const subject = toOneLine(sentence)
  const url = `${context.appUrl}/${href}`
  const footer = renderFooter(language, context)
  const html = htmlDocument(language, subject, [
    `<h1>${escapeHtml(subject)}</h1>`,
    renderLink(url, UNSUBSCRIBE_TEXTS[language].open, directionOf(language)),
    footer.html,
  ])
  return { subject, text: [subject, url, ...footer.text].join('\n\n'), html }
}
