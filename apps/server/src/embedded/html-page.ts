import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../mails/escape-html.ts'

const BASE_STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  * { box-sizing: border-box; }
`
const INBOX_STYLE = `
  body { max-width: 48rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; }
  li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 10px; margin-block: .5rem; }
  li a { display: block; padding: .75rem 1rem; color: inherit; text-decoration: none; }
  h3 { margin-block: 1.5rem 0; }
  small { opacity: .75; display: block; }
  iframe { inline-size: 100%; block-size: 28rem; border: 1px solid; border-radius: 10px; }
  pre { white-space: pre-wrap; }
`

/** A page for development, by default in the style of the inbox. `body` must be safe HTML. */
export const htmlPage = (title: string, body: string, style = INBOX_STYLE): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${BASE_STYLE}${style}</style></head><body>${body}</body></html>`

/** Sends text that the browser must not store, nor read as another type. */
export function sendText(response: ServerResponse, status: number, type: string, body: string, csp: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': csp,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}
