import { randomUUID } from 'node:crypto'
import { inTransaction } from '@community/db'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliverMails } from '../../test/notification-mails.ts'
import { createPushClient, createPushSettings, startPushService } from '../../test/push-service.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { digestsHandler } from '../jobs/digests.ts'
import { notificationPushHandler } from '../jobs/notification-push.ts'
import { startWorker } from '../jobs/worker.ts'
import { notifyNextBatch } from './audience-commands.ts'
import { insertNotification } from './commands.ts'
import { PUSH_JOB } from './push-commands.ts'

let server: TestServer
let service: Awaited<ReturnType<typeof startPushService>>
let chef: TestUser
let teamId: string
let challengeId: string
let deadline: string

beforeAll(async () => {
  server = await openTestServer(createPushSettings())
  service = await startPushService()
})
beforeEach(async () => {
  chef = await server.createMember()
  teamId = (await server.createTeam(chef)).id
  deadline = new Date(Date.now() + 7_200_000).toISOString()
  challengeId = (await server.createChallenge(await server.createAdmin(), { deadline })).id
  await send(`POST /challenges/${challengeId}/reminder`, { teamId })
  const { subscription } = createPushClient(`${service.origin}/${randomUUID()}`)
  await send('PUT /notifications/push', subscription)
  await server.sql`delete from jobs`
  await server.sql`delete from notifications`
  service.received.length = 0
})
afterAll(async () => {
  await service.close()
  await server.close()
})

async function send(...request: Parameters<ReturnType<TestServer['rest']>>) {
  expect((await server.rest(chef)(...request)).status).toBeLessThan(300)
}
const reminder = () => ({
  kind: 'challenge.reminder' as const,
  params: { challengeId, challenge: 'Atlas', deadline, step: '2-hours' as const },
  challengeId,
  actorId: null,
})
/** Queues a mail and a push message, and a digest with another reminder. */
async function queueReminders() {
  await server.sql`insert into notification_preferences values (${chef.id}, 'challenge.reminder', true, 'daily', false)`
  await inTransaction(server.db, (tx) => insertNotification(tx, chef.id, reminder()))
  await server.sql`update notifications set created_at = created_at - interval '25 hours'`
  await digestsHandler(server.deps, new AbortController().signal).run({} as never, null)
  await server.sql`delete from notification_preferences where user_id = ${chef.id}`
  await inTransaction(server.db, (tx) => insertNotification(tx, chef.id, reminder()))
  const kinds = await server.sql`select kind from jobs where key is not null order by kind`
  expect(kinds.map(({ kind }) => kind)).toEqual(['notification-digest', 'notification-mail', PUSH_JOB])
}
async function deliver() {
  const mails = await deliverMails(server, 'notification-mail')
  const digests = await deliverMails(server, 'notification-digest')
  const handler = notificationPushHandler(server.deps, new AbortController().signal)
  const worker = startWorker(server.deps, { [PUSH_JOB]: handler })
  await expect.poll(() => server.sql`select from jobs where kind = ${PUSH_JOB} and status <> 'done'`).toEqual([])
  await worker.stop()
  return { mails: mails.length, digests: digests.length, pushes: service.received.length }
}

describe('a reminder', () => {
  it('is sent while its challenge is open, and kept by the push service until the deadline', async () => {
    await queueReminders()
    expect(await deliver()).toEqual({ mails: 1, digests: 1, pushes: 1 })
    const ttl = Number(service.received[0]?.headers['ttl'])
    expect(ttl).toBeGreaterThan(7000)
    expect(ttl).toBeLessThanOrEqual(7200)
  })

  it.each([
    [
      'the challenge has closed',
      async () => {
        await server.clock.passDeadline(challengeId)
        await server.sql`
          update notifications set params = params || jsonb_build_object('deadline', challenges.deadline)
          from challenges where challenges.id = challenge_id`
      },
    ],
    ['the deadline has moved', () => server.clock.setDeadline(challengeId, 90_000)],
    [
      'the team has applied',
      async () => {
        const work = { teamId, type: 'link', content: 'https://github.com/atlas-lions/app' }
        await send(`POST /challenges/${challengeId}/apply`, work)
      },
    ],
    ['the team has stopped it', () => send(`DELETE /challenges/${challengeId}/reminder`, { teamId })],
  ])('is neither mailed nor pushed once %s', async (_name, outdate) => {
    await queueReminders()
    await outdate()
    expect(await deliver()).toEqual({ mails: 0, digests: 0, pushes: 0 })
  })

  it('notifies nobody once the challenge has closed', async () => {
    await server.clock.passDeadline(challengeId)
    const [row] = await server.sql`select deadline::text from challenges where id = ${challengeId}`
    const audience = {
      name: 'reminded',
      challengeId,
      askedBy: new Date().toISOString(),
      deadline: row?.deadline,
    } as const
    expect((await inTransaction(server.db, (tx) => notifyNextBatch(tx, audience, reminder()))).added).toBe(0)
  })
})
