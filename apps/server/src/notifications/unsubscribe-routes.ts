import { type Language, type NotificationKindName, notificationKindOf } from '@community/contract'
import { inTransaction } from '@community/db'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { languageOf } from '../http/client-info.ts'
import { NO_CORS } from '../http/cors.ts'
import { renderParagraph, sendPage } from '../http/send-page.ts'
import { escapeHtml } from '../mails/escape-html.ts'
import { directionOf, renderLink } from '../mails/render.ts'
import { UNSUBSCRIBE_TEXTS } from '../mails/unsubscribe-texts.ts'
import { lockUser } from '../users/lock-user.ts'
import { upsertPreferences } from './inbox-commands.ts'
import { maskEmail } from './mask-email.ts'
import { findPreferences } from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'
import { toPreferences } from './views.ts'

const PATH = '/email-preferences/unsubscribe'
/** At least 44 px high, so that it is easy to tap. */
const BUTTON_STYLE = 'font:inherit;min-height:44px;padding:0 16px'

const renderKinds = (language: Language, kinds: readonly NotificationKindName[]) =>
  `<ul>${kinds.map((kind) => `<li>${escapeHtml(notificationKindOf(kind).summary[language])}</li>`).join('')}</ul>`

/** A link to the page where signed-in users choose their mails. */
const renderPreferencesLink = (language: Language, { appUrl }: Deps['config']) =>
  renderLink(`${appUrl}/#notifications`, UNSUBSCRIBE_TEXTS[language].preferences, directionOf(language))

function sendInvalidLink(request: FastifyRequest, reply: FastifyReply, config: Deps['config']) {
  const language = languageOf(request.headers['accept-language'])
  const { invalidHeading, invalid } = UNSUBSCRIBE_TEXTS[language]
  const parts = [renderParagraph(invalid), renderPreferencesLink(language, config)]
  return sendPage(reply, 400, language, invalidHeading, parts)
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
    if (!user) return sendInvalidLink(request, reply, deps.config)
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
    if (!user) return sendInvalidLink(request, reply, deps.config)
    const { doneHeading, done } = UNSUBSCRIBE_TEXTS[user.language]
    return sendPage(reply, 200, user.language, doneHeading, [
      renderParagraph(done.replace('{email}', () => maskEmail(user.email))),
      renderKinds(user.language, content.kinds),
      renderPreferencesLink(user.language, deps.config),
    ])
  })
}
