import { inTransaction } from '@community/db'
import { times } from '@community/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { NOTIFY_JOB } from '../notifications/notify-later.ts'
import { ANNOUNCEMENT_JOB } from '../notifications/publish-announcement.ts'
import { REMOVE_OBJECTS_JOB } from '../uploads/remove-objects.ts'
import { EVENT_JOB } from '../webhooks/job-kinds.ts'
import { createJobHandlers } from './handlers.ts'
import { queueMail } from './mail.ts'
import { enqueue } from './queue.ts'
import { startWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
  await server.stopWorker()
})
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
