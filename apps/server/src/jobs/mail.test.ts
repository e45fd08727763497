import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '@community/db'
import { listenLocally } from '@community/testing'
import { freePort } from '@community/testing/server'
import pino from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createSecret } from '../auth/secret.ts'
import type { Deps } from '../context.ts'
import { readConfig } from '../config.ts'
import { createMailer, type Mail, type Mailer } from '../integrations/mailer.ts'
import { startMailCatcher } from '../embedded/mail-catcher.ts'
import { mailHandler, type QueuedMail, queueMail } from './mail.ts'
import { wakeWorkers } from './queue.ts'
import { startWorker } from './worker.ts'

const dir = temporaryFolder()
const secret = createSecret(randomBytes(32))
const config = readConfig({ NODE_ENV: 'test', APP_URL: 'https://community.example' })

const fixture = await openFixture()
beforeEach(() => fixture.sql`delete from jobs`)
afterAll(() => fixture.close())

/** A mailer that calls `take`, which may reject. */
const mailerOf = (take: (mail: Mail) => Promise<void>): Mailer => ({
  send: take,
  check: () => Promise.resolve(),
  close: () => {},
})
// A cast, because a worker uses only these dependencies.
const depsOf = (mailer: Mailer, db = fixture.db) =>
  ({ db, config, secret, mailer, log: pino({ level: 'silent' }) }) as Partial<Deps> as Deps

const startMailing = (deps: Deps) => startWorker(deps, { mail: mailHandler(deps) })

const mailFor = (to: string, over: Partial<QueuedMail> = {}): QueuedMail => ({
  template: 'code-registration',
  to,
  language: 'en',
  values: { code: '042137' },
  ...over,
})
const queue = (...mails: QueuedMail[]) =>
  inTransaction(fixture.db, async (tx) => {
    for (const mail of mails) await queueMail(tx, { secret }, mail)
  })
const rows = () => fixture.sql`select * from jobs order by recipient`
const statuses = async () => (await rows()).map(({ status }) => status)
const makeJobsDue = () => fixture.clock.makeJobsDue({ status: 'pending' })

describe('a queued mail', () => {
  it('is not sent when its transaction fails', async () => {
    const sent: Mail[] = []
    const worker = startMailing(depsOf(mailerOf(async (mail) => void sent.push(mail))))
    const failing = inTransaction(fixture.db, async (tx) => {
      await queueMail(tx, { secret }, mailFor('never@example.ma'))
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    await queue(mailFor('later@example.ma'))
    wakeWorkers()
    await expect.poll(statuses).toEqual(['done'])
    await worker.stop()
    expect(sent.map(({ to }) => to)).toEqual(['later@example.ma'])
  })

  it('stores its code sealed, and deletes it when it is sent', async () => {
    await queue(mailFor('sealed@example.ma'))
    expect(JSON.stringify(await rows())).not.toContain('042137')
    const sent: Mail[] = []
    const worker = startMailing(depsOf(mailerOf(async (mail) => void sent.push(mail))))
    await expect.poll(statuses).toEqual(['done'])
    await worker.stop()
    expect((await rows())[0]).toMatchObject({ payload: '', attempts: 1, lease_until: null })
    const [row] = await rows()
    expect(sent).toEqual([
      expect.objectContaining({ to: 'sealed@example.ma', messageId: `<${row?.id}@community.example>`, language: 'en' }),
    ])
    expect(sent[0]?.text).toContain('042137')
  })

  it('is sent when the worker is woken, not at its next poll', async () => {
    // Without timers there is no next poll.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const worker = startMailing(depsOf(mailerOf(async () => arrived())))
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
    await queue(mailFor('quick@example.ma'))
    wakeWorkers()
    await arrival
    await worker.stop()
  })

  it('is sent when another process queued it', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const worker = startMailing(depsOf(mailerOf(async () => arrived())))
    await queue(mailFor('elsewhere@example.ma'))
    await arrival
    await worker.stop()
  })

  it('is not sent when its code has expired', async () => {
    let isSent = false
    await queue(mailFor('late@example.ma', { ttl: -1 }))
    const worker = startMailing(depsOf(mailerOf(async () => void (isSent = true))))
    await expect.poll(statuses).toEqual(['dead'])
    await worker.stop()
    expect(isSent).toBe(false)
    expect((await rows())[0]).toMatchObject({ payload: '', last_error: 'expired before it could be sent' })
  })
})

describe('a mail that cannot be sent', () => {
  it('is retried with backoff and the same id, and is dead after ten attempts', async () => {
    const ids = new Set<string>()
    await queue(mailFor('away@example.ma'))
    const away = mailerOf(async ({ messageId }) => {
      ids.add(messageId)
      throw new Error('connect ECONNREFUSED for away@example.ma')
    })
    const worker = startMailing(depsOf(away))
    for (let attempt = 1; attempt <= 10; attempt++) {
      await expect.poll(async () => (await rows())[0]).toMatchObject({ attempts: attempt, lease_until: null })
      const [row] = await fixture.sql`select status, extract(epoch from available_at - now())::float as wait from jobs`
      if (attempt < 10) {
        expect(row?.status).toBe('pending')
        const expected = Math.min(600, 2 ** attempt)
        expect(row?.wait).toBeGreaterThan(expected * 0.75 - 2)
        expect(row?.wait).toBeLessThanOrEqual(expected * 1.25)
        await makeJobsDue()
        worker.wake()
      }
    }
    const [dead] = await rows()
    expect(dead).toMatchObject({
      status: 'dead',
      last_error: 'connect ECONNREFUSED for (recipient)',
      lease_until: null,
    })
    // The sealed payload is kept for an administrator's retry.
    expect(JSON.parse(secret.unseal(dead?.['payload']))).toEqual({ code: '042137' })
    expect(ids.size).toBe(1)
    await worker.stop()
  })

  it.each([
    ['that refuses connections', async () => `smtp://127.0.0.1:${await freePort()}`],
    ['without an address', async () => 'smtp://nowhere.invalid'],
  ])('is retried every five seconds at a server %s, and never dead', async (_where, urlOf) => {
    await queue(mailFor('patient@example.ma'))
    const mailer = createMailer({ smtpUrl: await urlOf(), from: 'a@community.example' })
    try {
      for (let attempt = 1; attempt <= 12; attempt++) {
        await fixture.sql`update jobs set last_error = null`
        await makeJobsDue()
        // A new worker knows of no outage and tries at once.
        const worker = startMailing(depsOf(mailer))
        await expect.poll(async () => (await rows())[0]?.['last_error']).not.toBeNull()
        await worker.stop()
        expect((await rows())[0]).toMatchObject({ status: 'pending', attempts: 0, lease_until: null })
      }
      const [row] = await fixture.sql`select extract(epoch from available_at - now())::float as wait from jobs`
      expect(row?.wait).toBeGreaterThan(3)
      expect(row?.wait).toBeLessThanOrEqual(5)
    } finally {
      mailer.close()
    }
  })

  it('is delivered with the same Message-ID once an unavailable server is back', async () => {
    const claimed: string[] = []
    let isAway = true
    await queue(mailFor('back@example.ma'))
    const server = mailerOf(async ({ messageId, text }) => {
      if (isAway) throw new Error('connect ECONNREFUSED')
      claimed.push(messageId)
      expect(text).toContain('042137')
    })
    const worker = startMailing(depsOf(server))
    for (const attempts of [1, 2]) {
      await expect.poll(async () => (await rows())[0]).toMatchObject({ attempts, lease_until: null })
      await makeJobsDue()
      worker.wake()
    }
    isAway = false
    await makeJobsDue()
    worker.wake()
    await expect.poll(statuses).toEqual(['done'])
    await worker.stop()
    expect(claimed).toEqual([`<${(await rows())[0]?.id}@community.example>`])
    expect((await rows())[0]).toMatchObject({ payload: '' })
  })

  it('does not delay other mails', async () => {
    await queue(mailFor('bad@example.ma'), mailFor('good@example.ma'), mailFor('ok@example.ma'))
    const server = mailerOf(async ({ to }) => {
      if (to.startsWith('bad')) throw new Error('not now')
    })
    const worker = startMailing(depsOf(server))
    await expect.poll(statuses).toEqual(['pending', 'done', 'done'])
    await worker.stop()
  })

  /** Sends a mail through a real SMTP server with these replies; returns the job's row. */
  async function sendTo(replies: Partial<SMTPServerOptions>, account = '') {
    const smtp = new SMTPServer({ disabledCommands: ['STARTTLS'], authOptional: true, logger: false, ...replies })
    smtp.on('error', () => {})
    const smtpUrl = `smtp://${account}127.0.0.1:${await listenLocally(smtp.server)}`
    const mailer = createMailer({ smtpUrl, from: 'a@community.example' })
    await queue(mailFor('nobody@example.ma'))
    const worker = startMailing({ ...depsOf(mailer), config: { ...config, smtpUrl } })
    await expect.poll(async () => (await rows())[0]?.['last_error']).not.toBeNull()
    await worker.stop()
    mailer.close()
    await new Promise<void>((resolve) => smtp.close(resolve))
    return (await rows())[0]
  }
  const smtpError = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

  it.each<[string, Partial<SMTPServerOptions>, string, attempts?: number]>([
    ['does not know the recipient', { onRcptTo: (_to, _at, done) => done(smtpError(550, 'No such user')) }, 'dead'],
    [
      'rejects the content',
      { onData: (mail, _at, done) => void mail.resume().on('end', () => done(smtpError(554, 'Spam'))) },
      'dead',
    ],
    ['reports a full mailbox', { onRcptTo: (_to, _at, done) => done(smtpError(452, 'Mailbox full')) }, 'pending'],
    [
      'is busy',
      { onData: (mail, _at, done) => void mail.resume().on('end', () => done(smtpError(451, 'Later'))) },
      'pending',
    ],
    ['rejects the sender', { onMailFrom: (_from, _at, done) => done(smtpError(550, 'Who are you?')) }, 'pending'],
    // Says nothing about the mail, so it is no attempt.
    ['rejects every connection', { onConnect: (_at, done) => done(smtpError(554, 'Go away')) }, 'pending', 0],
  ])(
    'is retried unless the rejection is permanent, by a real server that %s',
    async (_why, replies, status, attempts = 1) => {
      expect(await sendTo(replies)).toMatchObject({ status, attempts, lease_until: null })
    },
  )

  it('does not store the credentials of a rejected SMTP account', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _at, done) =>
      done(smtpError(535, `wrong: ${username} / ${password}`))
    const row = await sendTo({ allowInsecureAuth: true, onAuth }, 'postman:s3cret%21word@')
    expect(row).toMatchObject({ status: 'pending', attempts: 0 })
    expect(row?.['last_error']).toMatch(/wrong: \(secret\) \/ \(secret\)/)
    expect(JSON.stringify(row)).not.toMatch(/postman|s3cret/)
  })
})

it('logs that the jobs cannot be read although the database is available', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  await fixture.sql`alter table jobs rename to elsewhere`
  const worker = startMailing({ ...depsOf(mailerOf(async () => {})), log })
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  await fixture.sql`alter table elsewhere rename to jobs`
  await worker.stop()
  expect(lines[0]).toContain('the jobs could not be read')
})

describe('several workers', () => {
  it('send a hundred mails once each', async () => {
    const sent: string[] = []
    const server = mailerOf(async ({ to }) => {
      sent.push(to)
      await sleep(3)
    })
    await queue(...Array.from({ length: 100 }, (_, index) => mailFor(`m${index}@example.ma`)))
    const workers = [fixture.db, fixture.openPool().db, fixture.openPool().db].map((db) =>
      startMailing(depsOf(server, db)),
    )
    await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['done']))
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(sent).toHaveLength(100)
    expect(new Set(sent).size).toBe(100)
  })

  it('do not send a mail again while a slow mail server has not answered', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let accept = () => {}
    let sent = 0
    const slow = mailerOf(() => {
      sent++
      return new Promise<void>((resolve) => (accept = resolve))
    })
    await queue(mailFor('slow@example.ma'))
    const worker = startMailing(depsOf(slow))
    await expect.poll(() => sent).toBe(1)
    const leaseUntil = async () => (await rows())[0]?.lease_until as Date
    const claimed = await leaseUntil()
    vi.advanceTimersByTime(20_000)
    await expect.poll(leaseUntil).not.toEqual(claimed)
    const renewed = await leaseUntil()
    vi.advanceTimersByTime(20_000)
    await expect.poll(leaseUntil).not.toEqual(renewed)
    vi.advanceTimersByTime(20_000)
    accept()
    await expect.poll(statuses).toEqual(['done'])
    await worker.stop()
    expect(sent).toBe(1)
  })

  it('take over a crashed worker’s mail with the same Message-ID: at most one duplicate', async () => {
    const ids: string[] = []
    await queue(mailFor('twice@example.ma'))
    // The server accepts the mail, but the worker never records it.
    const crashing = startMailing(
      depsOf(
        mailerOf(({ messageId }) => {
          ids.push(messageId)
          return new Promise(() => {})
        }),
      ),
    )
    await expect.poll(() => ids.length).toBe(1)
    // It claims no more jobs and never finishes, like a crashed worker.
    void crashing.stop()
    const others: string[] = []
    const successor = startMailing(
      depsOf(mailerOf(async ({ to, messageId }) => void (to === 'twice@example.ma' ? ids : others).push(messageId))),
    )
    // The successor has polled once it has sent this mail; it leaves the leased one.
    await queue(mailFor('once@example.ma'))
    await expect.poll(() => others.length).toBe(1)
    expect(ids).toHaveLength(1)
    await fixture.clock.expireLeases('jobs', { status: 'pending' })
    await expect.poll(statuses).toEqual(['done', 'done'])
    expect(ids).toEqual([ids[0], ids[0]])
    await successor.stop()
  })

  it('killed between the delivery and its record send at most one duplicate, with the same id', async () => {
    const ids: string[] = []
    let reportDelivery = () => {}
    const isDelivered = new Promise<void>((resolve) => (reportDelivery = resolve))
    const smtp = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onData: (stream, _session, done) =>
        void textOf(stream).then((mail) => {
          ids.push(/^message-id: (.*)$/im.exec(mail)?.[1]?.trim() ?? '')
          // The server has the mail; the worker dies before the response.
          if (ids.length === 1) reportDelivery()
          else done()
        }),
    })
    smtp.on('error', () => {})
    const smtpUrl = `smtp://127.0.0.1:${await listenLocally(smtp.server)}`
    await queue(mailFor('crash@example.ma'))
    const key = randomBytes(32).toString('hex')
    await fixture.sql`update jobs set payload = ${createSecret(Buffer.from(key, 'hex')).seal('{"code":"042137"}')}`
    const worker = fork(new URL('../../test/job-worker.ts', import.meta.url), {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, WORKER_DATABASE: fixture.url, WORKER_SMTP: smtpUrl, WORKER_KEY: key },
    })
    const died = once(worker, 'exit')
    await isDelivered
    worker.kill('SIGKILL')
    await died
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    await fixture.clock.expireLeases('jobs')
    const mailer = createMailer({ smtpUrl, from: 'a@community.example' })
    const successors = [fixture.db, fixture.openPool().db].map((db) =>
      startMailing({ ...depsOf(mailer, db), secret: createSecret(Buffer.from(key, 'hex')) }),
    )
    await expect.poll(statuses).toEqual(['done'])
    await Promise.all(successors.map((successor) => successor.stop()))
    mailer.close()
    await new Promise<void>((resolve) => smtp.close(resolve))
    expect(ids).toEqual([ids[0], ids[0]])
    expect(ids[0]).toBe(`<${(await rows())[0]?.['id']}@community.example>`)
  })

  it('do not overwrite the outcome of another with a late one', async () => {
    await queue(mailFor('slow@example.ma'))
    let fail = (_error: Error) => {}
    const slow = startMailing(
      depsOf(
        mailerOf(
          () =>
            new Promise((_resolve, reject) => {
              fail = reject
            }),
        ),
      ),
    )
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    await fixture.clock.expireLeases('jobs')
    const quick = startMailing(depsOf(mailerOf(() => Promise.resolve())))
    await expect.poll(statuses).toEqual(['done'])
    await quick.stop()
    fail(new Error('timed out'))
    await slow.stop()
    expect((await rows())[0]).toMatchObject({ status: 'done', last_error: null })
  })
})

it('delivers a mail in Arabic unchanged to a real server', async () => {
  const catcher = await startMailCatcher({ dir })
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'Community <no-reply@community.example>' })
  const worker = startMailing(depsOf(mailer))
  await queue(mailFor('reader@example.ma', { language: 'ar' }))
  wakeWorkers()
  const mail = await catcher.waitFor(({ to }) => to.includes('reader@example.ma'))
  expect(mail.subject).toBe('042137 رمزك للانضمام إلى المجتمع')
  expect(mail.html).toContain('dir="rtl"')
  await worker.stop()
  mailer.close()
  await catcher.close()
})
