import type { Language } from '@community/contract'
import { DEFAULT_APP_NAME } from './app-name.ts'
import { escapeHtml } from './escape-html.ts'
import { directionOf, renderLink } from './render.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

export interface MailContext {
  appUrl: string
  appName: string
  /** Both work without sign-in. */
  preferencesUrl: string
  /** Undefined for mails that are always sent. */
  unsubscribeUrl: string | undefined
}

/**
 * Renders the end of a mail with notifications, as HTML and as paragraphs of text: the community’s name, and links to unsubscribe and to the
 * preferences.
 */
export function renderFooter(language: Language, { appName, preferencesUrl, unsubscribeUrl }: MailContext) {
  const { confirm, preferences } = UNSUBSCRIBE_TEXTS[language]
  const direction = directionOf(language)
  const ownName = appName === DEFAULT_APP_NAME ? [] : [appName]
  const links: [string, string][] = [
    ...(unsubscribeUrl === undefined ? [] : [[confirm, unsubscribeUrl] satisfies [string, string]]),
    [preferences, preferencesUrl],
  ]
  const html = [
    '<div class="foot">',
    ...ownName.map((name) => `<p class="line">${escapeHtml(name)}</p>`),
    ...links.map(([label, url]) => renderLink(url, label, direction)),
    '</div>',
  ].join('')
  return { html, text: [...ownName, ...links.map(([label, url]) => `${label}\n${url}`)] }
}
