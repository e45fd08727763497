import type { Language, Notification } from '@community/contract'
import { DEFAULT_APP_NAME } from './app-name.ts'
import { DIGEST_TEXTS } from './digest-texts.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlDocument, type RenderedMail, renderLink, toOneLine } from './render.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

/** Entries that a digest shows; the others are in the app. */
const ENTRIES_MAX = 50

type Entry = Pick<Notification, 'text' | 'href' | 'params' | 'challengeId' | 'teamId'>

/** The entries by the team or challenge that they are about, in the order of their first ones. */
function groupEntries(entries: Entry[], account: string): { heading: string; entries: Entry[] }[] {
  const groups = new Map<string, { heading: string; entries: Entry[] }>()
  for (const entry of entries) {
    const { params, challengeId, teamId } = entry
    const name = challengeId ? params['challenge'] : teamId ? params['team'] : undefined
    const key = typeof name === 'string' ? (challengeId ?? teamId ?? '') : ''
    const group = groups.get(key) ?? { heading: typeof name === 'string' ? toOneLine(name) : account, entries: [] }
    group.entries.push(entry)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Renders several notifications as one mail, grouped by team and challenge. What somebody wrote stays in the app. */
export function renderDigest(
  language: Language,
  all: Entry[],
  { appUrl, appName, unsubscribeUrl }: { appUrl: string; appName: string; unsubscribeUrl: string },
): RenderedMail {
  const { subject: subjects, account, more } = DIGEST_TEXTS[language]
  const { open, link } = UNSUBSCRIBE_TEXTS[language]
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const number = (n: number) => n.toLocaleString(language)
  const form = subjects[new Intl.PluralRules(language).select(all.length)] ?? subjects.other
  const subject = form.replace('{n}', number(all.length))
  const groups = groupEntries(all.slice(0, ENTRIES_MAX), account)
  const rest = all.length - ENTRIES_MAX
  const moreLine = rest > 0 ? [more.replace('{n}', number(rest))] : []
  const inbox = `${appUrl}/#notifications`
  const ownName = appName === DEFAULT_APP_NAME ? [] : [appName]
  const html = htmlDocument(language, subject, [
    `<h1>${escapeHtml(subject)}</h1>`,
    ...groups.flatMap(({ heading, entries }) => [
      `<p class="line label"><bdi>${escapeHtml(heading)}</bdi></p>`,
      ...entries.map(({ text, href }) => renderLink(`${appUrl}/${href}`, toOneLine(text), direction)),
    ]),
    ...moreLine.map((line) => `<p class="line">${escapeHtml(line)}</p>`),
    renderLink(inbox, open, direction),
    ...ownName.map((name) => `<p class="line">${escapeHtml(name)}</p>`),
    renderLink(unsubscribeUrl, link, direction),
  ])
  const text = [
    subject,
    ...groups.map(({ heading, entries }) =>
      [heading, ...entries.map((entry) => `- ${toOneLine(entry.text)}\n  ${appUrl}/${entry.href}`)].join('\n'),
    ),
    ...moreLine,
    `${open}\n${inbox}`,
    ...ownName,
    `${link}\n${unsubscribeUrl}`,
  ].join('\n\n')
  return { subject, text, html }
}
