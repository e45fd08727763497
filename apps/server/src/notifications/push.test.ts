import { randomUUID } from 'node:crypto'
import { LANGUAGES, NOTIFICATION_KIND_NAMES, notificationKindOf } from '@community/contract'
import { inTransaction } from '@community/db'
import { PASSWORD } from '@community/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testClientInfo } from '../../test/client-info.ts'
import { createToken } from '../../test/personal-token.ts'
import { createPushClient, createPushSettings, readVapid, startPushService } from '../../test/push-service.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { createSignIn } from '../auth/sessions.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { notificationPushHandler } from '../jobs/notification-push.ts'
import { startWorker } from '../jobs/worker.ts'
import { notify } from './notify.ts'
import { PUSH_JOB } from './push-commands.ts'

const TEAM = { team: 'Atlas Lions', teamId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }
const settings = createPushSettings()
let server: TestServer
let service: Awaited<ReturnType<typeof startPushService>>
let member: TestUser

beforeAll(async () => {
  server = await openTestServer(settings)
  service = await startPushService()
})
beforeEach(async () => {
  await server.sql`delete from jobs`
  service.received.length = 0
  member = await server.createMember()
})
afterAll(async () => {
  await service.close()
  await server.close()
})

/** Another session of the same person. */
const signIn = async ({ id }: TestUser) => {
  const { result } = await inTransaction(server.db, async (tx) =>
    createSignIn(tx, server.deps, await lockActiveUser(tx, id, 'share'), testClientInfo()),
  )
  return result
}
const newClient = () => createPushClient(`${service.origin}/${randomUUID()}`)
/** Subscribes a new browser of a session. */
async function subscribe(user: Pick<TestUser, 'token'> = member, client = newClient()) {
  const response = await server.rest(user)('PUT /notifications/push', client.subscription)
  expect(response.status).toBe(200)
  return { ...client, path: new URL(client.subscription.endpoint).pathname }
}
const stateOf = async (user: Pick<TestUser, 'token'>) => (await server.rest(user)('GET /notifications/push')).body.data
const endpoints = async () => (await server.sql`select endpoint from push_subscriptions`).map((row) => row['endpoint'])

const notifyOfChef = () =>
  inTransaction(server.db, (tx) =>
    notify(tx, { userId: member.id }, { kind: 'team.chef', params: TEAM, teamId: TEAM.teamId, actorId: null }),
  )
const jobs = async () =>
  (await server.sql`select status, last_error as "lastError" from jobs where kind = ${PUSH_JOB}`) as unknown as {
    status: string
    lastError: string | null
  }[]

/** Runs the jobs of push messages until all are done. */
async function deliver() {
  const worker = startWorker(server.deps, {
    [PUSH_JOB]: notificationPushHandler(server.deps, new AbortController().signal),
  })
  try {
    await expect.poll(async () => (await jobs()).every(({ status }) => status === 'done')).toBe(true)
  } finally {
    await worker.stop()
  }
}

describe('a push message', () => {
  it('reaches each device of the person, encrypted and signed, without private data', async () => {
    const other = await signIn(member)
    const clients = [await subscribe(), await subscribe(other)]
    await server.sql`update users set language = 'fr' where id = ${member.id}`
    await notifyOfChef()
    await deliver()
    expect(service.received.map(({ path }) => path).toSorted()).toEqual(clients.map(({ path }) => path).toSorted())
    for (const { path, headers, body } of service.received) {
      const message = clients.find((client) => client.path === path)?.decrypt(body)
      expect(message).toEqual({
        title: 'Communauté',
        body: notificationKindOf('team.chef').summary.fr,
        language: 'fr',
        href: '#dashboard',
      })
      expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
      const claims = readVapid(headers.authorization ?? '', settings.VAPID_PUBLIC_KEY)
      expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:admin@community.example' })
      expect(claims.exp * 1000).toBeGreaterThan(Date.now())
    }
  })

  it('is sent once for each notification and device, and belongs to the transaction of the cause', async () => {
    await subscribe()
    await expect(
      inTransaction(server.db, async (tx) => {
        await notify(tx, { userId: member.id }, { kind: 'team.chef', params: TEAM, actorId: null })
        throw new Error('the cause failed')
      }),
    ).rejects.toThrow('the cause failed')
    await notifyOfChef()
    expect(await jobs()).toHaveLength(1)
    await deliver()
    expect(service.received).toHaveLength(1)
  })

  it('is not sent for a kind without the channel, nor once the kind is off or the notification read', async () => {
    await subscribe()
    const preferences = (push: boolean) => ({ preferences: [{ kind: 'team.chef', app: true, mail: 'off', push }] })
    await server.rest(member)('PUT /notifications/preferences', preferences(false))
    await notifyOfChef()
    expect(await jobs()).toEqual([])
    await server.rest(member)('PUT /notifications/preferences', preferences(true))
    await notifyOfChef()
    await server.rest(member)('PUT /notifications/preferences', preferences(false))
    await deliver()
    await server.rest(member)('PUT /notifications/preferences', preferences(true))
    await notifyOfChef()
    await server.sql`update notifications set read_at = now() where user_id = ${member.id}`
    await deliver()
    expect(service.received).toEqual([])
  })

  it('waits for the end of the quiet hours, unless it concerns safety', async () => {
    await subscribe()
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    await server.sql`insert into notification_settings values (${member.id}, 8, 1, ${clock(-1)}, ${clock(2)}, 'UTC')`
    await notifyOfChef()
    await inTransaction(server.db, (tx) =>
      notify(tx, { userId: member.id }, { kind: 'account.warned', params: { warning: 'Rude' }, actorId: null }),
    )
    const worker = startWorker(server.deps, {
      [PUSH_JOB]: notificationPushHandler(server.deps, new AbortController().signal),
    })
    await expect.poll(() => service.received.length).toBe(1)
    await expect
      .poll(async () => (await server.sql`select id from jobs where available_at > now() + interval '1 hour'`).length)
      .toBe(1)
    await worker.stop()
    expect(service.received).toHaveLength(1)
  })

  it.each([404, 410])('deletes a subscription to which the push service responds with %i', async (status) => {
    const gone = await subscribe()
    const other = await subscribe(await signIn(member))
    service.statuses.set(gone.path, status)
    await notifyOfChef()
    await deliver()
    expect(await endpoints()).toContain(other.subscription.endpoint)
    expect(await endpoints()).not.toContain(gone.subscription.endpoint)
    expect(await stateOf(member)).toMatchObject({ endpoint: null })
  })

  it('is retried after a server error, and dead once the push service rejects it', async () => {
    const { path } = await subscribe()
    service.statuses.set(path, 503)
    await notifyOfChef()
    const worker = startWorker(server.deps, {
      [PUSH_JOB]: notificationPushHandler(server.deps, new AbortController().signal),
    })
    await expect.poll(jobs).toEqual([{ status: 'pending', lastError: 'the push service responded with 503' }])
    service.statuses.set(path, 403)
    await server.clock.makeJobsDue({ kind: PUSH_JOB, status: 'pending' })
    worker.wake()
    await expect.poll(jobs).toEqual([{ status: 'dead', lastError: 'the push service responded with 403' }])
    await worker.stop()
    expect(await endpoints()).toContain(`${service.origin}${path}`)
  })

  it('has a text without parameters for every kind and language', () => {
    for (const kind of NOTIFICATION_KIND_NAMES)
      for (const language of LANGUAGES) {
        const text = notificationKindOf(kind).summary[language]
        expect(text.length).toBeGreaterThan(5)
        expect(text).not.toMatch(/[{}]/)
      }
  })
})

describe('a subscription', () => {
  it('belongs to one session, and is shown in the list of devices', async () => {
    const other = await signIn(member)
    const { subscription } = await subscribe()
    expect(await stateOf(member)).toEqual({
      publicKey: settings.VAPID_PUBLIC_KEY,
      endpoint: subscription.endpoint,
    })
    expect(await stateOf(other)).toMatchObject({ endpoint: null })
    const { sessions } = (await server.rest(member)('GET /auth/sessions')).body.data
    expect(sessions.map(({ isCurrent, hasPush }: Record<string, boolean>) => [isCurrent, hasPush])).toEqual([
      [true, true],
      [false, false],
    ])
    await server.rest(member)('DELETE /notifications/push')
    expect(await stateOf(member)).toMatchObject({ endpoint: null })
    expect((await server.rest(member)('DELETE /notifications/push')).status).toBe(200)
  })

  it('belongs to the user who subscribed last in its browser, and replaces an earlier one of the same session', async () => {
    const client = newClient()
    await subscribe(member, client)
    const next = await server.createMember()
    await subscribe(next, client)
    expect(await stateOf(member)).toMatchObject({ endpoint: null })
    const { subscription } = await subscribe(next)
    expect(await stateOf(next)).toMatchObject({ endpoint: subscription.endpoint })
    expect(await endpoints()).not.toContain(client.subscription.endpoint)
  })

  it('is stored once for ten identical concurrent requests', async () => {
    const { subscription } = newClient()
    const send = () => server.rest(member)('PUT /notifications/push', subscription)
    const statuses = (await Promise.all(Array.from({ length: 10 }, send))).map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    expect((await endpoints()).filter((endpoint) => endpoint === subscription.endpoint)).toHaveLength(1)
  })

  it.each([
    ['its session signs out', (user: TestUser) => server.rest(user)('POST /auth/logout', {})],
    ['another session ends it', async (user: TestUser) => server.rest(await signIn(user))('DELETE /auth/sessions')],
    [
      'its owner is banned',
      async (user: TestUser) =>
        server.rest(await server.createAdmin())('POST /admin/ban', {
          userId: user.id,
          reason: 'Casino links',
          password: PASSWORD,
        }),
    ],
    [
      'the account is deleted',
      (user: TestUser) => server.rest(user)(`DELETE /users/${user.id}`, { password: PASSWORD }),
    ],
    [
      'the password changes elsewhere',
      async (user: TestUser) =>
        server.rest(await signIn(user))('POST /auth/change-password', {
          currentPassword: PASSWORD,
          newPassword: 'Majorelle-2027',
        }),
    ],
  ])('ends when %s', async (_name, end) => {
    const { subscription } = await subscribe()
    const response = await end(member)
    expect(response.status).toBeLessThan(300)
    expect(await endpoints()).not.toContain(subscription.endpoint)
  })

  it.each([
    ['no URL', { endpoint: 'push' }],
    ['an IP address', { endpoint: 'https://10.0.0.7/push' }],
    ['a port that does not exist', { endpoint: 'https://push.example:99999/1' }],
    ['another protocol', { endpoint: 'ftp://push.example/1' }],
    ['too long an address', { endpoint: `https://push.example/${'a'.repeat(1000)}` }],
    ['keys of another length', { keys: { p256dh: 'AAAA', auth: 'AAAA' } }],
    ['unknown fields', { userId: randomUUID() }],
  ])('is rejected with %s', async (_name, changes) => {
    const { subscription } = newClient()
    const response = await server.rest(member)('PUT /notifications/push', { ...subscription, ...changes })
    expect([response.status, response.body.code]).toEqual([400, 'VALIDATION'])
  })

  it('is not available to personal access tokens', async () => {
    const { token } = await createToken(server, member, 'write')
    const response = await server.rest({ token })('PUT /notifications/push', newClient().subscription)
    expect(response.body.code).toBe('SESSION_REQUIRED')
  })
})

describe('the settings', () => {
  it('reject an http address unless private addresses are allowed', async () => {
    const { config } = server.deps
    const { isPrivateAllowed } = config.webhooks
    config.webhooks.isPrivateAllowed = false
    try {
      const subscription = { ...newClient().subscription, endpoint: 'http://push.example/1' }
      const response = await server.rest(member)('PUT /notifications/push', subscription)
      expect([response.status, response.body.code]).toEqual([400, 'PUSH_ADDRESS_PRIVATE'])
    } finally {
      config.webhooks.isPrivateAllowed = isPrivateAllowed
    }
  })

  it('keep messages from this machine unless private addresses are allowed', async () => {
    await subscribe()
    await notifyOfChef()
    const { webhooks } = server.deps.config
    webhooks.isPrivateAllowed = false
    const worker = startWorker(server.deps, {
      [PUSH_JOB]: notificationPushHandler(server.deps, new AbortController().signal),
    })
    try {
      await expect.poll(jobs).toEqual([{ status: 'pending', lastError: 'the push service could not be reached' }])
    } finally {
      await worker.stop()
      webhooks.isPrivateAllowed = true
    }
    expect(service.received).toEqual([])
  })

  it('offer no push messages without VAPID keys', async () => {
    const { config } = server.deps
    const { push } = config
    config.push = undefined
    try {
      expect(await stateOf(member)).toEqual({ publicKey: null, endpoint: null })
      const response = await server.rest(member)('PUT /notifications/push', newClient().subscription)
      expect([response.status, response.body.code]).toEqual([409, 'PUSH_UNAVAILABLE'])
    } finally {
      config.push = push
    }
  })
})
