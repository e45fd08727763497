import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../mails/escape-html.ts'
import { htmlPage, sendText } from './html-page.ts'
import type { CaughtMail } from './mail-catcher.ts'
import { templateHtml, templatesPage } from './mail-templates-page.ts'

const PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'"
const MAIL_CSP = "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'"

const inboxPage = (mails: readonly CaughtMail[]) =>
  htmlPage(
    'Mail inbox',
    `<h1>Mail inbox</h1><p><a href="/templates">Mail templates</a></p><p>${mails.length === 0 ? 'No mail yet. Reload once the product has sent one.' : `${mails.length} mails, newest first.`}</p><ul>${mails
      .toReversed()
      .map(
        (mail) =>
          `<li><a href="/mail/${mail.id}"><strong dir="auto">${escapeHtml(mail.subject || '(no subject)')}</strong><small>${escapeHtml(mail.to.join(', '))} · ${escapeHtml(mail.receivedAt)}</small></a></li>`,
      )
      .join('')}</ul>`,
  )

const mailPage = (mail: CaughtMail) =>
  htmlPage(
    mail.subject,
    `<p><a href="/">Inbox</a></p><h1 dir="auto">${escapeHtml(mail.subject)}</h1><p>${escapeHtml(mail.from)} → ${escapeHtml(mail.to.join(', '))}<small>${escapeHtml(mail.receivedAt)}</small></p>
    <iframe sandbox="allow-popups" title="The mail as HTML" src="/mail/${mail.id}/html"></iframe><h2>As text</h2><pre dir="auto">${escapeHtml(mail.text)}</pre>`,
  )

/**
 * Serves the inbox: `/`, `/mail/{id}` with its HTML in a sandbox, `/messages.json` for scripts, and `/templates` with every mail
 * template.
 */
export function serveInbox(url: string, mails: readonly CaughtMail[], response: ServerResponse): void {
  const send = (status: number, type: string, body: string, csp = PAGE_CSP) =>
    sendText(response, status, type, body, csp)
  const { pathname } = new URL(url, 'http://inbox')
  if (pathname === '/') return send(200, 'text/html', inboxPage(mails))
  if (pathname === '/messages.json') return send(200, 'application/json', JSON.stringify(mails.toReversed()))
  if (pathname === '/templates') return send(200, 'text/html', templatesPage())
  const [, template, language] = /^\/templates\/([\w-]+)\/(\w+)$/.exec(pathname) ?? []
  const html = template && language && templateHtml(template, language)
  if (html) return send(200, 'text/html', html, MAIL_CSP)
  const [, id, part] = /^\/mail\/([\w-]+)(\/html)?$/.exec(pathname) ?? []
  const mail = id === undefined ? undefined : mails.find((candidate) => candidate.id === id)
  if (!mail) return send(404, 'text/html', htmlPage('Not found', '<h1>Not found</h1><p><a href="/">Inbox</a></p>'))
  if (part) return send(200, 'text/html', mail.html || `<pre>${escapeHtml(mail.text)}</pre>`, MAIL_CSP)
  send(200, 'text/html', mailPage(mail))
}
