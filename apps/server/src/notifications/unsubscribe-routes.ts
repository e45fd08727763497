import { type Language, type NotificationKindName, notificationKindOf } from '@community/contract'
import { inTransaction } from '@community/db'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { languageOf } from '../http/client-info.ts'
import { NO_CORS } from '../http/cors.ts'
import { escapeHtml } from '../mails/escape-html.ts'
import { htmlDocument } from '../mails/render.ts'
import { UNSUBSCRIBE_TEXTS } from '../mails/unsubscribe-texts.ts'
import { lockUser } from '../users/lock-user.ts'
import { upsertPreferences } from './inbox-commands.ts'
import { maskEmail } from './mask-email.ts'
import { findPreferences } from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'
import { toPreferences } from './views.ts'

const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
const PATH = '/email-preferences/unsubscribe'
/** At least 44 px high, so that it is easy to tap. */
const BUTTON_STYLE = 'font:inherit;min-height:44px;padding:0 16px'

function sendPage(reply: FastifyReply, status: number, language: Language, heading: string, parts: string[]) {
  reply.raw.setHeader('content-security-policy', CSP)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(htmlDocument(language, heading, [`<h1>${escapeHtml(heading)}</h1>`, ...parts]))
}
const renderParagraph = (text: string) => `<p class="line">${escapeHtml(text)}</p>`

const renderKinds = (language: Language, kinds: readonly NotificationKindName[]) =>
  `<ul>${kinds.map((kind) => `<li>${escapeHtml(notificationKindOf(kind).summary[language])}</li>`).join('')}</ul>`

function sendInvalidLink(request: FastifyRequest, reply: FastifyReply) {
  const language = languageOf(request.headers['accept-language'])
  const { invalidHeading, invalid } = UNSUBSCRIBE_TEXTS[language]
  return sendPage(reply, 400, language, invalidHeading, [renderParagraph(invalid)])
}
const tokenOf = ({ query }: FastifyRequest) => (query as { token?: unknown }).token

/** Turns the mails of some kinds off; undefined if the account was deleted. */
const stopMails = ({ db }: Deps, { userId, kinds }: NonNullable<ReturnType<typeof readUnsubscribeToken>>) =>
  inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId, 'no key update')
    if (!user) return user
    const all = toPreferences(await findPreferences(tx, { userId })).filter(({ kind }) => kinds.includes(kind))
    const changed = all.map(({ kind, app, push }) => ({ kind, app, mail: 'off' as const, push }))
    await upsertPreferences(tx, userId, changed)
    return user
  })

/** The page behind the link in mails, without sign-in, and the one-click POST of mail clients (RFC 8058). */
export const unsubscribeRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  // The body is always `List-Unsubscribe=One-Click`, or the empty form of the page.
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  // A GET changes nothing, because mail scanners open links.
  app.get(PATH, NO_CORS, async (request, reply) => {
    const content = readUnsubscribeToken(deps, tokenOf(request))
    const user = content && (await inTransaction(deps.db, (tx) => lockUser(tx, content.userId, 'share')))
    if (!user) return sendInvalidLink(request, reply)
    const { heading, question, confirm } = UNSUBSCRIBE_TEXTS[user.language]
    return sendPage(reply, 200, user.language, heading, [
      renderParagraph(question.replace('{email}', () => maskEmail(user.email))),
      renderKinds(user.language, content.kinds),
      `<form method="post"><button style="${BUTTON_STYLE}">${escapeHtml(confirm)}</button></form>`,
    ])
  })
  app.post(PATH, NO_CORS, async (request, reply) => {
    const content = readUnsubscribeToken(deps, tokenOf(request))
    const user = content && (await stopMails(deps, content))
    if (!user) return sendInvalidLink(request, reply)
    const { doneHeading, done } = UNSUBSCRIBE_TEXTS[user.language]
    return sendPage(reply, 200, user.language, doneHeading, [
      renderParagraph(done.replace('{email}', () => maskEmail(user.email))),
      renderKinds(user.language, content.kinds),
    ])
  })
}
