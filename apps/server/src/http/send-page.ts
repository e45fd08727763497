import type { Language } from '@community/contract'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../mails/escape-html.ts'
import { htmlDocument } from '../mails/render.ts'

/** Without the web app: the only style is in the page, and nothing is loaded. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

/** Sends a page of a heading and `parts` of HTML that needs no script. */
export function sendPage(reply: FastifyReply, status: number, language: Language, heading: string, parts: string[]) {
  reply.raw.setHeader('content-security-policy', CSP)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(htmlDocument(language, heading, [`<h1>${escapeHtml(heading)}</h1>`, ...parts]))
}

export const renderParagraph = (text: string): string => `<p class="line">${escapeHtml(text)}</p>`
