import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../mails/escape-html.ts'
import { htmlPage, sendText } from './html-page.ts'

const STYLE = `
  body { max-width: 24rem; margin: 0 auto; padding: 2rem 1rem; }
  form { display: grid; gap: 1rem; }
  label { display: grid; gap: .25rem; }
  label.choice { display: flex; align-items: center; }
  input, button { font: inherit; padding: .6rem .75rem; border: 1px solid; border-radius: 10px; }
  button { cursor: pointer; font-weight: 600; }
  [role=alert] { font-weight: 600; }
`

const CSP = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`

const page = (title: string, main: string): string =>
  htmlPage(`${title} (development)`, `<main><h1>${title}</h1>${main}</main>`, STYLE)

/** The sign-in form, which can also claim an unverified email. */
export const signInPage = (error?: string): string =>
  page(
    'Sign in',
    `<p>This machine’s own provider, for development: any address will do.</p>${
      error === undefined ? '' : `<p role="alert">${escapeHtml(error)}</p>`
    }<form method="post"><label>Email<input name="email" type="email" required autofocus autocomplete="email" maxlength="254"></label><label>Name (optional)<input name="name" dir="auto" autocomplete="name" maxlength="100"></label><label class="choice"><input name="verified" type="checkbox" checked> The address is verified</label><button>Continue</button></form>`,
  )

/** An error with a link back to the app. */
export const errorPage = (error: string, appUrl: string): string =>
  page(
    'Sign-in stopped',
    `<p role="alert">${escapeHtml(error)}</p><p><a href="${escapeHtml(appUrl)}">Back to the app</a></p>`,
  )

/** Sends a page that may load nothing and whose form may submit to the app only. */
export const sendIdentityPage = (response: ServerResponse, status: number, body: string, appUrl: string): void =>
  // `form-action` also applies to redirects after the form is submitted.
  sendText(response, status, 'text/html', body, `${CSP} ${appUrl}`)
