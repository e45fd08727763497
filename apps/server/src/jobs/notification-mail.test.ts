import { text as textOf } from 'node:stream/consumers'
import { listenLocally } from '@community/testing'
import { LANGUAGES } from '@community/contract'
import { inTransaction } from '@community/db'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { deliverMails, notifyOfDeactivation, TEAM_ID, openMailFixture } from '../../test/notification-mails.ts'
import { createMailer, type Mail } from '../integrations/mailer.ts'
import { insertNotification } from '../notifications/commands.ts'
import { notify } from '../notifications/notify.ts'
import { createUnsubscribeToken } from '../notifications/unsubscribe-token.ts'
import { notificationMailHandler } from './notification-mail.ts'
import { startWorker } from './worker.ts'

const fixture = openMailFixture()

const notifyMember = (team = 'Atlas <Lions>') => notifyOfDeactivation(fixture.server, fixture.member, team)
const statuses = async () =>
  (await fixture.server.sql`select status from jobs where kind = 'notification-mail'`).map(({ status }) => status)

const deliver = (send?: (mail: Mail) => Promise<void>) => deliverMails(fixture.server, 'notification-mail', send)
const tokenOf = (mail: Mail | undefined) => new URL(mail?.unsubscribeUrl ?? '').searchParams.get('token') ?? ''
const unsubscribe = (token: string, method: 'GET' | 'POST' = 'POST') =>
  fixture.server.app.inject({
    method,
    url: `/email-preferences/unsubscribe?token=${token}`,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    }),
  })

describe('the mail of a notification', () => {
  it('is sent once, with links to the page it is about, to unsubscribe and to the preferences', async () => {
    await notifyMember()
    const [mail, ...others] = await deliver()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: fixture.member.email,
      subject: 'An administrator deactivated Atlas <Lions>',
      thread: `<team-${TEAM_ID}@localhost>`,
    })
    expect(mail?.messageId).toMatch(/^<notification-[-0-9a-f]{36}@localhost>$/)
    expect(mail?.html).toContain('deactivated Atlas &#60;Lions&#62;</h1>')
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain(`${fixture.server.deps.config.appUrl}/#dashboard`)
      expect(part).toContain(mail?.unsubscribeUrl)
      expect(part).toContain(`${fixture.server.deps.config.appUrl}/#email-preferences-`)
    }
    expect(await deliver()).toEqual([])
  })

  it('is added only if the transaction of its cause commits', async () => {
    const failing = inTransaction(fixture.server.db, async (tx) => {
      await insertNotification(tx, fixture.member.id, {
        kind: 'team.deactivated',
        params: { team: 'A', teamId: TEAM_ID },
        actorId: null,
      })
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await statuses()).toEqual([])
  })

  it.each(LANGUAGES)('is in the language of the reader: %s', async (language) => {
    await fixture.server.sql`update users set language = ${language} where id = ${fixture.member.id}`
    await notifyMember('Atlas')
    const [mail] = await deliver()
    expect(mail?.language).toBe(language)
    expect(mail?.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    const words = { en: 'deactivated', fr: 'désactivé', ar: 'عطّلت' }
    expect(mail?.subject).toContain(words[language])
  })

  it('has the headers of a thread and of one-click unsubscription', async () => {
    let raw = ''
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        void textOf(stream).then((all) => {
          raw = all
          done()
        })
      },
    })
    const port = await listenLocally(smtp.server)
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@community.example' })
    await notifyMember()
    await deliver(mailer.send)
    mailer.close()
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    const headers = (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ')
    expect(headers).toMatch(
      /^List-Unsubscribe: <http:\/\/localhost:\d+\/email-preferences\/unsubscribe\?token=[\w-]+>$/m,
    )
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    expect(headers).toContain(`In-Reply-To: <team-${TEAM_ID}@localhost>`)
    expect(headers).toContain(`References: <team-${TEAM_ID}@localhost>`)
  })

  it('is not sent if its recipient turned off its kind, read it or was banned meanwhile', async () => {
    await notifyMember()
    await fixture.server
      .sql`insert into notification_preferences values (${fixture.member.id}, 'team.deactivated', true, 'off', true)`
    expect(await deliver()).toEqual([])
    await notifyMember()
    expect(await statuses()).toEqual(['done'])

    fixture.member = await fixture.server.createMember()
    await notifyMember()
    await fixture.server.sql`update notifications set read_at = now() where user_id = ${fixture.member.id}`
    expect(await deliver()).toEqual([])

    fixture.member = await fixture.server.createMember()
    await notifyMember()
    await fixture.server
      .sql`update users set is_banned = true, ban_reason = 'Spam', banned_at = now() where id = ${fixture.member.id}`
    expect(await deliver()).toEqual([])
  })

  it('waits for the end of the quiet hours, unless it concerns safety', async () => {
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    await fixture.server
      .sql`insert into notification_settings values (${fixture.member.id}, 8, 1, ${clock(-1)}, ${clock(2)}, 'UTC')`
    await notifyMember()
    const [job] = await fixture.server.sql`select id from jobs`
    const due = () =>
      fixture.server
        .sql`select extract(epoch from available_at - now())::int as wait, attempts, status from jobs where id = ${job?.id}`
    const worker = startWorker(fixture.server.deps, {
      'notification-mail': notificationMailHandler(fixture.server.deps),
    })
    await expect.poll(async () => (await due())[0]?.wait).toBeGreaterThan(7000)
    await worker.stop()
    const [row] = await due()
    expect(row).toMatchObject({ attempts: 0, status: 'pending' })
    expect(row?.wait).toBeLessThanOrEqual(7200)

    await fixture.server.sql`delete from jobs`
    await inTransaction(fixture.server.db, (tx) =>
      notify(
        tx,
        { userId: fixture.member.id },
        {
          kind: 'account.warned',
          params: { warning: 'Spam' },
          actorId: null,
        },
      ),
    )
    const [mail] = await deliver()
    expect(mail?.to).toBe(fixture.member.email)
    expect(mail?.unsubscribeUrl).toBeUndefined()
    expect(mail?.text).toContain('#email-preferences-')
  })
})

describe('the unsubscribe link', () => {
  const findMailPreferences = async () => {
    const rows = await fixture.server
      .sql`select mail from notification_preferences where user_id = ${fixture.member.id}`
    return rows.map(({ mail }) => mail)
  }

  it('asks for confirmation, shows only a masked address, and turns off mails of the kind', async () => {
    await notifyMember()
    const [mail] = await deliver()
    const page = await unsubscribe(tokenOf(mail), 'GET')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain(`${fixture.member.email[0]}•••@`)
    expect(page.body).not.toContain(fixture.member.email)
    expect(await findMailPreferences()).toEqual([])
    const done = await unsubscribe(tokenOf(mail))
    expect(done.statusCode).toBe(200)
    expect(done.body).toContain('Emails stopped')
    expect(done.body).toContain(`<a href="${fixture.server.deps.config.appUrl}/#notifications"`)
    expect(await findMailPreferences()).toEqual(['off'])
    await fixture.server.sql`delete from jobs`
    await notifyMember()
    expect(await statuses()).toEqual([])
  })

  it('rejects a forged or expired token, one of a deleted account and safety mails', async () => {
    const token = createUnsubscribeToken(fixture.server.deps, fixture.member.id, ['team.deactivated'])
    const wrong = [
      '',
      'x',
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      fixture.server.deps.secret.seal(
        JSON.stringify({ userId: fixture.member.id, kind: 'team.deactivated', expiresAt: Date.now() + 1e6 }),
      ),
      createUnsubscribeToken(
        fixture.server.deps,
        fixture.member.id,
        ['team.deactivated'],
        Date.now() - 31 * 86_400_000,
      ),
      createUnsubscribeToken(fixture.server.deps, TEAM_ID, ['team.deactivated']),
      createUnsubscribeToken(fixture.server.deps, fixture.member.id, ['account.warned']),
    ]
    for (const method of ['GET', 'POST'] as const)
      for (const bad of wrong) {
        const { statusCode, body } = await unsubscribe(bad, method)
        expect(statusCode).toBe(400)
        expect(body).toContain('This link doesn’t work')
        expect(body).toContain(`<a href="${fixture.server.deps.config.appUrl}/#notifications"`)
        expect(body).not.toContain('•••@')
      }
    expect(await findMailPreferences()).toEqual([])
  })
})
