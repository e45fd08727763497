import type { ServerResponse } from 'node:http'
import type { CaughtMail } from './mail-catcher.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  * { box-sizing: border-box; }
  body { max-width: 48rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; }
  li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 10px; margin-block: .5rem; }
  li a { display: block; padding: .75rem 1rem; color: inherit; text-decoration: none; }
  small { opacity: .75; display: block; }
  iframe { inline-size: 100%; block-size: 28rem; border: 1px solid; border-radius: 10px; background: #fff; }
  pre { white-space: pre-wrap; }
`
const PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'"
const MAIL_CSP = "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'"

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`

const inbox = (mails: readonly CaughtMail[]) =>
  page(
    'Mail inbox',
    `<h1>Mail inbox</h1><p>${mails.length === 0 ? 'No mail yet. Reload once the product has sent one.' : `${mails.length} kept, newest first.`}</p><ul>${mails
      .toReversed()
      .map(
        (mail) =>
          `<li><a href="/mail/${mail.id}"><strong dir="auto">${escape(mail.subject || '(no subject)')}</strong><small>${escape(mail.to.join(', '))} · ${escape(mail.at)}</small></a></li>`,
      )
      .join('')}</ul>`,
  )

const single = (mail: CaughtMail) =>
  page(
    mail.subject,
    `<p><a href="/">Inbox</a></p><h1 dir="auto">${escape(mail.subject)}</h1><p>${escape(mail.from)} → ${escape(mail.to.join(', '))}<small>${escape(mail.at)}</small></p>
    <iframe sandbox="allow-popups" title="The mail as HTML" src="/mail/${mail.id}/html"></iframe><h2>As text</h2><pre dir="auto">${escape(mail.text)}</pre>`,
  )

/** Answers the inbox page: `/`, `/mail/{id}`, its HTML in a sandbox, and `/api/mail` for scripts. */
export function answerInbox(url: string, mails: readonly CaughtMail[], response: ServerResponse): void {
  const answer = (status: number, type: string, body: string, csp = PAGE_CSP) => {
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': csp,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    response.end(body)
  }
  const { pathname } = new URL(url, 'http://inbox')
  if (pathname === '/') return answer(200, 'text/html', inbox(mails))
  if (pathname === '/api/mail') return answer(200, 'application/json', JSON.stringify(mails.toReversed()))
  const [, id, part] = /^\/mail\/([\w-]+)(\/html)?$/.exec(pathname) ?? []
  const mail = id === undefined ? undefined : mails.find((candidate) => candidate.id === id)
  if (!mail) return answer(404, 'text/html', page('Not found', '<h1>Not found</h1><p><a href="/">Inbox</a></p>'))
  if (part) return answer(200, 'text/html', mail.html || `<pre>${escape(mail.text)}</pre>`, MAIL_CSP)
  answer(200, 'text/html', single(mail))
}
