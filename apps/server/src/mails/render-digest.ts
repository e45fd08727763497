import type { Language, Notification } from '@community/contract'
import { DIGEST_TEXTS } from './digest-texts.ts'
import { escapeHtml } from './escape-html.ts'
import { directionOf, htmlDocument, type RenderedMail, renderLink, toOneLine } from './render.ts'
import { type MailContext, renderFooter } from './render-footer.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

type Entry = Pick<Notification, 'text' | 'href' | 'params' | 'challengeId' | 'teamId'>

/** Groups entries by the team or challenge that they are about; groups are in the order of their first entries. */
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

/**
 * Renders `total` notifications as one mail that shows the first ones, grouped by team and challenge. Texts that members wrote are shown in
 * the app only.
 */
export function renderDigest(
  language: Language,
  { entries: shown, total }: { entries: Entry[]; total: number },
  context: MailContext,
): RenderedMail {
  const { subject: subjects, account, more } = DIGEST_TEXTS[language]
  const { appUrl } = context
  const { open } = UNSUBSCRIBE_TEXTS[language]
  const direction = directionOf(language)
  const number = (n: number) => n.toLocaleString(language)
  const form = subjects[new Intl.PluralRules(language).select(total)] ?? subjects.other
  const subject = form.replace('{n}', number(total))
  const groups = groupEntries(shown, account)
  const rest = total - shown.length
  const moreLine = rest > 0 ? [more.replace('{n}', number(rest))] : []
  const inbox = `${appUrl}/#notifications`
  const footer = renderFooter(language, context)
  const html = htmlDocument(language, subject, [
    `<h1>${escapeHtml(subject)}</h1>`,
    ...groups.flatMap(({ heading, entries }) => [
      `<p class="line label"><bdi>${escapeHtml(heading)}</bdi></p>`,
      ...entries.map(({ text, href }) => renderLink(`${appUrl}/${href}`, toOneLine(text), direction)),
    ]),
    ...moreLine.map((line) => renderLink(inbox, line, direction)),
    renderLink(inbox, open, direction),
    footer.html,
  ])
  const text = [
    subject,
    ...groups.map(({ heading, entries }) =>
      [heading, ...entries.map((entry) => `- ${toOneLine(entry.text)}\n  ${appUrl}/${entry.href}`)].join('\n'),
    ),
    ...moreLine,
    `${open}\n${inbox}`,
    ...footer.text,
  ].join('\n\n')
  return { subject, text, html }
}
