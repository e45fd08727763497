import { inTransaction } from '@community/db'
import { listenLocally, times } from '@community/testing'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { createMailer } from '../integrations/mailer.ts'
import { NOTIFY_JOB } from '../notifications/notify-later.ts'
import { ANNOUNCEMENT_JOB } from '../notifications/publish-announcement.ts'
import { REMOVE_OBJECTS_JOB } from '../uploads/remove-objects.ts'
import { EVENT_JOB } from '../webhooks/job-kinds.ts'
import { createJobHandlers } from './handlers.ts'
import { MAIL_SERVICE, queueMail } from './mail.ts'
import { enqueue } from './queue.ts'
import { startWorker } from './worker.ts'

const server = await openTestServer()
await server.stopWorker()
afterAll(() => server.close())

it.each([NOTIFY_JOB, ANNOUNCEMENT_JOB, EVENT_JOB, REMOVE_OBJECTS_JOB])(
  'sends mails beside many long jobs of the kind %s',
  async (kind) => {
    const to = (await server.createMember()).email
    let [running, finish] = [0, () => {}]
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const handlers = createJobHandlers(server.deps, { stopping: new AbortController().signal })
    const run = () => {
      running++
      return finished
    }
    await inTransaction(server.db, async (tx) => {
      for (const payload of times(6, (n) => n)) await enqueue(tx, server.deps, { kind, payload })
    })
    const worker = startWorker(server.deps, {
      mail: handlers['mail'] ?? expect.fail(),
      [kind]: { ...(handlers[kind] ?? expect.fail()), run },
    })
    await expect.poll(() => running).toBeGreaterThan(0)
    const values = { host: 'hooks.example' }
    await inTransaction(server.db, (tx) =>
      queueMail(tx, server.deps, { template: 'webhook-disabled', to, language: 'en', values }),
    )
    worker.wake()
    expect((await server.waitForMail(to)).subject).toContain('hooks.example')
    finish()
    await worker.stop()
  },
)

it('sends mails beside notifications and digests over which the mail server hangs', async () => {
  const accepted: string[] = []
  let hanging = 0
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _session, accept) {
      if (address.startsWith('bulk')) hanging++
      else {
        accepted.push(address)
        accept()
      }
    },
  })
  smtp.on('error', () => {})
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await listenLocally(smtp.server)}`, from: 'a@example.ma' })
  const handlers = createJobHandlers({ ...server.deps, mailer }, { stopping: new AbortController().signal })
  const mail = {
    to: 'bulk@example.ma',
    subject: 'x',
    text: 'x',
    html: 'x',
    language: 'en',
    messageId: '<1@x>',
  } as const
  const bulk = Object.entries(handlers).filter(([kind, { service }]) => service === MAIL_SERVICE && kind !== 'mail')
  await inTransaction(server.db, async (tx) => {
    for (const [kind] of bulk)
      for (const payload of times(6, (n) => n)) await enqueue(tx, server.deps, { kind, payload })
  })
  const sending = bulk.map(([kind, handler]) => [kind, { ...handler, run: () => mailer.send(mail) }] as const)
  const worker = startWorker(server.deps, { mail: handlers['mail'] ?? expect.fail(), ...Object.fromEntries(sending) })
  try {
    await expect.poll(() => hanging).toBe(5)
    const to = 'code@example.ma'
    const values = { host: 'hooks.example' }
    await inTransaction(server.db, (tx) =>
      queueMail(tx, server.deps, { template: 'webhook-disabled', to, language: 'en', values }),
    )
    worker.wake()
    await expect.poll(() => accepted, { timeout: 4000 }).toEqual([to])
  } finally {
    mailer.close()
    smtp.close()
    await worker.stop()
  }
})
