import type { Language, RenderedNotification } from '@community/contract'
import { DEFAULT_APP_NAME } from './app-name.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlDocument, type RenderedMail, renderLink, toOneLine } from './render.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

/** Renders the mail of a notification: its sentence, which names teams and people, and links. What somebody wrote stays in the app. */
export function renderNotificationMail(
  language: Language,
  { text: sentence, href }: Pick<RenderedNotification, 'text' | 'href'>,
  { appUrl, appName, unsubscribeUrl }: { appUrl: string; appName: string; unsubscribeUrl?: string | undefined },
): RenderedMail {
  const texts = UNSUBSCRIBE_TEXTS[language]
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const subject = toOneLine(sentence)
  const place = `${appUrl}/${href}`
  const ownName = appName === DEFAULT_APP_NAME ? [] : [appName]
  const html = htmlDocument(language, subject, [
    `<h1>${escapeHtml(subject)}</h1>`,
    renderLink(place, texts.open, direction),
    ...ownName.map((name) => `<p class="line">${escapeHtml(name)}</p>`),
    ...(unsubscribeUrl === undefined ? [] : [renderLink(unsubscribeUrl, texts.link, direction)]),
  ])
  const text = [
    subject,
    place,
    ...ownName,
    ...(unsubscribeUrl === undefined ? [] : [`${texts.link}\n${unsubscribeUrl}`]),
  ].join('\n\n')
  return { subject, text, html }
}
