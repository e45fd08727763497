import { inTransaction } from '@community/db'
import { listenLocally } from '@community/testing'
import { sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { createMailer, type Mailer } from '../integrations/mailer.ts'
import { mailHandler, queueMail } from '../jobs/mail.ts'
import { notificationMailHandler } from '../jobs/notification-mail.ts'
import { startWorker } from '../jobs/worker.ts'
import { recordBounce } from './bounce-commands.ts'
import { notify } from './notify.ts'

const NO_SUCH_USER = '5.1.1 No such user here'
let server: TestServer
let member: TestUser
let smtp: SMTPServer
let mailer: Mailer
/** The mail server’s response to a recipient; null to accept. */
let rejection: { code: number; text: string } | null
let accepted: string[]

beforeAll(async () => {
  server = await openTestServer()
  await server.stopWorker()
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (rejection) return done(Object.assign(new Error(rejection.text), { responseCode: rejection.code }))
      accepted.push(address)
      done()
    },
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => done())
    },
  })
  const port = await listenLocally(smtp.server)
  mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@community.example' })
})
beforeEach(async () => {
  await server.sql`delete from jobs`
  member = await server.createMember()
  rejection = { code: 550, text: NO_SUCH_USER }
  accepted = []
})
afterAll(async () => {
  mailer.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  await server.close()
})

/** Attempts every queued mail once. */
async function sendAll(): Promise<void> {
  const deps = { ...server.deps, mailer }
  const worker = startWorker(deps, { mail: mailHandler(deps), 'notification-mail': notificationMailHandler(deps) })
  try {
    const pending = () => server.sql`select 1 from jobs where status = 'pending' and attempts = 0`
    await expect.poll(pending).toEqual([])
  } finally {
    await worker.stop()
  }
}
/** Sends the member mails of a kind: refused with `rejection`, else accepted. */
const notifyMember = async (kind: 'team.deactivated' | 'account.warned', count: number) => {
  for (let n = 0; n < count; n++)
    await inTransaction(server.db, (tx) =>
      notify(
        tx,
        { userId: member.id },
        kind === 'account.warned'
          ? { kind, params: { warning: 'Spam' }, actorId: null }
          : { kind, params: { team: 'Atlas', teamId: crypto.randomUUID() }, actorId: null },
      ),
    )
  await sendAll()
}
const mailMember = (count: number) => notifyMember('team.deactivated', count)
const pausedAt = async (): Promise<string | null> =>
  (await server.rest(member)('GET /notifications/preferences')).body.data.mailPausedAt
const pauseNotices = () =>
  server.sql`select mail, is_in_app from notifications where user_id = ${member.id} and kind = 'account.mail-paused'`

describe('an address that rejects mails', () => {
  it('gets no more after three rejections in a row, and its owner is notified once in the app', async () => {
    await mailMember(2)
    expect(await pausedAt()).toBeNull()
    await mailMember(1)
    expect(await pausedAt()).not.toBeNull()
    rejection = null
    await mailMember(2)
    expect(accepted).toEqual([])
    expect(await pauseNotices()).toEqual([{ mail: 'off', is_in_app: true }])
    const { notifications } = (await server.rest(member)('GET /notifications')).body.data
    expect(notifications.at(2)?.text).toBe('Emails to you are paused. Your address rejected three in a row')
  })

  it('still gets codes and safety mails, whose rejection does not notify its owner again', async () => {
    await mailMember(3)
    await notifyMember('account.warned', 1)
    expect(await pauseNotices()).toHaveLength(1)
    rejection = null
    await notifyMember('account.warned', 1)
    const code = { template: 'code-sign-in', to: member.email, language: 'en', values: { code: '042137' } } as const
    await inTransaction(server.db, (tx) => queueMail(tx, server.deps, code))
    await sendAll()
    expect(accepted).toEqual([member.email, member.email])
    expect(await pausedAt()).not.toBeNull()
  })

  it('gets mails again once its owner resumes them', async () => {
    await mailMember(3)
    expect((await server.rest(member)('POST /notifications/preferences/resume-mail')).status).toBe(200)
    expect(await pausedAt()).toBeNull()
    rejection = null
    await mailMember(1)
    expect(accepted).toEqual([member.email])
  })

  it('gets mails again once a code that was mailed to it is entered', async () => {
    await mailMember(3)
    await server.rest()('POST /auth/forgot-password', { email: member.email })
    const [job] = await server.sql<{ payload: string }[]>`select payload from jobs where template = 'code-reset'`
    const { code } = JSON.parse(server.deps.secret.unseal(job?.payload ?? ''))
    const password = 'Marrakech-2027'
    const input = { email: member.email, otp: code, password, confirmPassword: password }
    expect((await server.rest()('POST /auth/reset-password', input)).status).toBe(200)
    rejection = null
    // The code, and that the password was changed.
    await sendAll()
    accepted = []
    await mailMember(1)
    expect(accepted).toEqual([member.email])
  })

  it.each([
    { code: 450, text: '4.2.1 Mailbox busy', why: 'a temporary rejection' },
    { code: 550, text: '5.7.1 Blocked by policy', why: 'a rejection of the sender' },
    { code: 550, text: '5.4.1 Relay access denied', why: 'a rejection of the route' },
    { code: 554, text: 'Relay access denied', why: 'a rejection without an enhanced status code' },
  ])('is not paused by $why', async (reply) => {
    rejection = reply
    await mailMember(3)
    expect(await server.sql`select 1 from mail_bounces where user_id = ${member.id}`).toEqual([])
  })

  it('is not paused when a mail in between was accepted', async () => {
    await mailMember(2)
    rejection = null
    await mailMember(1)
    rejection = { code: 550, text: NO_SUCH_USER }
    await mailMember(2)
    expect(await pausedAt()).toBeNull()
  })

  it('has its count locked after the account, as by the deletion of an account', async () => {
    await mailMember(2)
    const waiting = () =>
      server.sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%mail_bounces%'`
    let recorded: Promise<void> | undefined
    await inTransaction(server.db, async (tx) => {
      await tx.execute(sql`select from users where id = ${member.id} for update`)
      recorded = recordBounce(server.db, member.email)
      await expect.poll(async () => (await waiting()).length).toBe(1)
      await tx.execute(sql`select from mail_bounces where user_id = ${member.id} for update nowait`)
    })
    await recorded
    expect(await pausedAt()).not.toBeNull()
  })
})
