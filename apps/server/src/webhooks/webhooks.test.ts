import { randomBytes } from 'node:crypto'
import { promises as dns } from 'node:dns'
import { PASSWORD } from '@community/testing'
import { startWebhookReceiver } from '@community/testing/webhook-receiver'
import { inTransaction } from '@community/db'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { createToken } from '../../test/personal-token.ts'
import { createSecret } from '../auth/secret.ts'
import { challengeDeadlinesHandler, webhookEventHandler, webhookHandler } from '../jobs/webhooks.ts'
import type { Job } from '../jobs/queue.ts'
import { startWorker } from '../jobs/worker.ts'
import { EVENT_JOB, WEBHOOK_JOB } from './job-kinds.ts'
import { emit } from './emit.ts'
import { createSigningSecret } from './signing.ts'

let chef: TestUser
let team: Awaited<ReturnType<TestServer['createTeam']>>
const stopping = new AbortController()

const server = await openTestServer({ WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' })
const receiver = await startWebhookReceiver()
let worker = startWorker(server.deps, {
  [WEBHOOK_JOB]: webhookHandler(server.deps, stopping.signal),
  [EVENT_JOB]: webhookEventHandler(server.deps, stopping.signal),
})
const admin = await server.createAdmin()
beforeEach(async () => {
  chef = await server.createMember()
  team = await server.createTeam(chef)
})
afterEach(async () => {
  await server.sql`delete from webhooks`
  receiver.received.length = 0
  receiver.status = 204
})
afterAll(async () => {
  await worker.stop()
  await receiver.close()
  await server.close()
})

const create = async (user: TestUser, input: object) => {
  const password = user === admin ? { password: PASSWORD } : { teamId: team.id }
  const response = await server.rest(user)('POST /webhooks', { url: receiver.url, ...password, ...input })
  expect(response.status).toBe(201)
  return response.body.data as { webhook: { id: string }; secret: string }
}
const deliveriesOf = async (user: TestUser, id: string) =>
  (await server.rest(user)(`GET /webhooks/${id}/deliveries`)).body.data.deliveries
const retryNow = async () => {
  await server.clock.makeJobsDue({ kind: 'webhook', status: 'pending' })
  worker.wake()
}

it('lists the webhooks of all teams of a chef by cursor, and those of one', async () => {
  const second = await server.createTeam(chef)
  const ids: string[] = []
  for (const teamId of [team.id, second.id, team.id])
    ids.push((await create(chef, { teamId, events: ['team.member.joined'] })).webhook.id)
  const list = async (query: string) => {
    const { webhooks, pagination } = (await server.rest(chef)(`GET /webhooks?${query}`)).body.data
    return { ids: webhooks.map(({ id }: { id: string }) => id), ...pagination }
  }
  const first = await list('limit=2')
  expect(first).toEqual({ ids: ids.slice(0, 2), limit: 2, nextCursor: expect.any(String) })
  expect(await list(`limit=2&cursor=${first.nextCursor}`)).toEqual({ ids: ids.slice(2), limit: 2, nextCursor: null })
  expect(await list(`teamId=${second.id}`)).toEqual({ ids: [ids[1]], limit: 100, nextCursor: null })
  expect((await list(`teamId=${(await server.createTeam(await server.createMember())).id}`)).ids).toEqual([])
})

describe('an event', () => {
  it('reaches the webhooks that listen to it, signed, and no others', async () => {
    const other = await server.createMember()
    const otherTeam = await server.createTeam(other)
    const { webhook, secret } = await create(chef, { events: ['team.member.joined', 'team.member.left'] })
    await create(admin, { events: ['user.banned'] })
    await server.rest(other)('POST /webhooks', {
      teamId: otherTeam.id,
      url: receiver.url,
      events: ['team.member.joined'],
    })
    const member = await server.createMember()
    await server.join(team, member)
    await server.rest(member)(`POST /teams/${team.id}/leave`)
    await expect.poll(receiver.types).toHaveLength(2)
    const joined = receiver.received.find(({ message }) => message.type === 'team.member.joined')
    expect(joined?.message.data).toEqual({ team: { id: team.id, name: team.name }, userId: member.id })
    expect(Date.parse(joined?.message.timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000)
    new Webhook(secret).verify(joined?.body ?? '', joined?.headers as Record<string, string>)
    const left = receiver.received.find(({ message }) => message.type === 'team.member.left')
    expect(left?.message.data).toMatchObject({ userId: member.id, reason: 'left' })
    await expect
      .poll(async () => (await deliveriesOf(chef, webhook.id)).map((row: { status: string }) => row.status))
      .toEqual(['delivered', 'delivered'])
  })

  it('of work reaches the community’s webhook with its verdict', async () => {
    await create(admin, {
      events: [
        'challenge.published',
        'submission.created',
        'submission.approved',
        'submission.reset',
        'challenge.closed',
      ],
    })
    const challenge = await server.createChallenge(admin, { points: 200 })
    const applied = await server.rest(chef)(`POST /challenges/${challenge.id}/apply`, {
      teamId: team.id,
      type: 'link',
      content: 'https://github.com/atlas-lions/app',
    })
    const { id } = applied.body.data.submission
    await server.rest(admin)(`POST /submissions/${id}/evaluate`, { status: 'approved', score: 50 })
    await server.rest(admin)(`POST /submissions/${id}/reset-evaluation`)
    await server.rest(admin)(`POST /admin/challenges/${challenge.id}/deactivate`, { password: PASSWORD })
    await expect.poll(receiver.types).toHaveLength(5)
    const dataOf = (type: string) => receiver.received.find(({ message }) => message.type === type)?.message.data
    const ids = { id, teamId: team.id, challengeId: challenge.id }
    expect(dataOf('submission.created')).toEqual({
      submission: { ...ids, status: 'pending', score: null, points: null },
    })
    expect(dataOf('submission.approved')).toEqual({
      submission: { ...ids, status: 'approved', score: 50, points: 100 },
    })
    expect(dataOf('submission.reset')).toEqual({ submission: { ...ids, status: 'pending', score: null, points: null } })
    expect(dataOf('challenge.published')).toMatchObject({ challenge: { id: challenge.id, title: challenge.title } })
    expect(dataOf('challenge.closed')).toMatchObject({ challenge: { id: challenge.id }, reason: 'deactivated' })
  })

  it('of a transaction that fails is not sent', async () => {
    const { webhook } = await create(admin, { events: ['user.banned'] })
    const failing = inTransaction(server.db, async (tx) => {
      await emit(tx, { name: 'user.banned', data: { userId: chef.id }, userId: chef.id })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await deliveriesOf(admin, webhook.id)).toEqual([])
  })

  it('of a passed deadline is emitted once, to the webhooks that existed then', async () => {
    const challenge = await server.createChallenge(admin)
    const early = await create(admin, { events: ['challenge.closed'] })
    await server.clock.setAge('webhooks', 'created_at', 3600)
    await server.clock.passDeadline(challenge.id, 60)
    const late = await create(admin, { events: ['challenge.closed'] })
    const { run } = challengeDeadlinesHandler(server.deps)
    for (let round = 0; round < 3; round++) await run({} as Job, '')
    await expect.poll(receiver.types).toEqual(['challenge.closed'])
    expect(receiver.received[0]?.message.data).toMatchObject({ challenge: { id: challenge.id }, reason: 'deadline' })
    expect(await deliveriesOf(admin, early.webhook.id)).toHaveLength(1)
    expect(await deliveriesOf(admin, late.webhook.id)).toEqual([])
  })

  it('about an account is deleted with it', async () => {
    const member = await server.createMember()
    const { webhook } = await create(chef, { events: ['team.member.joined', 'team.member.left'] })
    await server.join(team, member)
    await expect.poll(receiver.types).toHaveLength(1)
    await server.rest(member)(`DELETE /users/${member.id}`, { password: PASSWORD })
    await expect.poll(receiver.types).toEqual(['team.member.joined', 'team.member.left'])
    expect(receiver.received[1]?.message.data).toMatchObject({ userId: null, reason: 'account closed' })
    const rows = await deliveriesOf(chef, webhook.id)
    expect(rows.map(({ event }: { event: string }) => event)).toEqual(['team.member.left'])
  })
})

describe('a receiver that fails', () => {
  const sendOnce = async () => {
    const { webhook } = await create(chef, { events: ['team.member.joined'] })
    await server.join(team, await server.createMember())
    const [{ id }] = await deliveriesOf(chef, webhook.id)
    return { webhook, id: id as string }
  }
  const deliveryOf = async (webhookId: string) => (await deliveriesOf(chef, webhookId))[0]

  it('gets the same message at every attempt, until it accepts it', async () => {
    receiver.status = 500
    const { webhook, id } = await sendOnce()
    for (let attempts = 1; attempts <= 3; attempts++) {
      await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts, status: 'pending' })
      expect(await deliveryOf(webhook.id)).toMatchObject({ responseStatus: 500 })
      if (attempts === 3) receiver.status = 200
      await retryNow()
    }
    await expect
      .poll(() => deliveryOf(webhook.id))
      .toMatchObject({ status: 'delivered', attempts: 4, responseStatus: 200, error: null })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  it('is retried for a day, then the delivery has failed and can be sent again', async () => {
    receiver.status = 503
    const { webhook, id } = await sendOnce()
    let waited = 0
    for (let attempts = 1; attempts <= 10; attempts++) {
      await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts })
      await expect.poll(async () => (await jobOf(id))?.lease_until).toBeNull()
      waited += attempts < 10 ? Number((await jobOf(id))?.wait) : 0
      await retryNow()
    }
    expect(waited).toBeGreaterThan(86_000)
    expect(waited).toBeLessThan(90_000)
    expect(await deliveryOf(webhook.id)).toMatchObject({ status: 'failed', error: 'the receiver responded with 503' })
    expect((await jobOf(id))?.status).toBe('dead')
    receiver.status = 204
    await server.rest(chef)(`POST /webhooks/${webhook.id}/deliveries/${id}/redeliver`, {})
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ status: 'delivered', attempts: 11 })
  })
  const jobOf = async (id: string) =>
    (await server.sql`select *, extract(epoch from available_at - now()) as wait from jobs where id = ${id}`)[0]

  /** Makes the next attempt, the last, once the first has failed. */
  const giveUp = async (webhookId: string, id: string) => {
    await expect.poll(() => deliveryOf(webhookId)).toMatchObject({ attempts: 1 })
    await expect.poll(async () => (await jobOf(id))?.lease_until).toBeNull()
    await server.sql`update jobs set attempts = 9 where id = ${id}`
    await retryNow()
    await expect.poll(() => deliveryOf(webhookId)).toMatchObject({ status: 'failed' })
  }
  const webhookOfChef = async () => (await server.rest(chef)('GET /webhooks')).body.data.webhooks[0]

  it('is paused when it has failed for three days and an event is given up, and its chef is notified', async () => {
    receiver.status = 500
    const { webhook, id } = await sendOnce()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts: 1 })
    await server.clock.setAge('webhooks', 'failing_since', 262_800, { id: webhook.id })
    await giveUp(webhook.id, id)
    expect((await server.waitForMail(chef.email)).subject).toContain('127.0.0.1')
    const [row] = (await server.rest(chef)('GET /webhooks')).body.data.webhooks
    expect(row).toMatchObject({ isActive: false })
    await server.join(team, await server.createMember())
    expect(await deliveriesOf(chef, webhook.id)).toHaveLength(1)
    const resumed = await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: true })
    expect(resumed.body.data.webhook).toMatchObject({ isActive: true, failingSince: null })
  })

  it('keeps its nine retries, and is not paused by one hiccup, long after an event was given up', async () => {
    receiver.status = 500
    const { webhook, id } = await sendOnce()
    await giveUp(webhook.id, id)
    await server.clock.setAge('webhooks', 'failing_since', 864_000, { id: webhook.id })
    await server.join(team, await server.createMember())
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts: 1, status: 'pending' })
    expect(await webhookOfChef()).toMatchObject({ isActive: true })
    receiver.status = 204
    await retryNow()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts: 2, status: 'delivered' })
    expect(await webhookOfChef()).toMatchObject({ isActive: true, failingSince: null })
  })

  it('is forgotten with a new URL', async () => {
    receiver.status = 500
    const { webhook } = await sendOnce()
    await expect.poll(async () => (await webhookOfChef()).failingSince).not.toBeNull()
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { url: receiver.url })
    expect((await webhookOfChef()).failingSince).not.toBeNull()
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { url: `${receiver.url}new` })
    expect((await webhookOfChef()).failingSince).toBeNull()
  })

  it('is not paused by pings, or by messages that it was not sent while paused', async () => {
    receiver.status = 503
    const { webhook, id } = await sendOnce()
    const stateOf = async () => (await server.rest(chef)('GET /webhooks')).body.data.webhooks[0]
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts: 1 })
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: false })
    await retryNow()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ status: 'failed', error: 'the webhook is paused' })
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: true })
    await server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
    await expect.poll(async () => (await deliveriesOf(chef, webhook.id))[0]).toMatchObject({ status: 'failed' })
    expect(await stateOf()).toMatchObject({ isActive: true, failingSince: null })
    await server.rest(chef)(`POST /webhooks/${webhook.id}/deliveries/${id}/redeliver`, {})
    await expect.poll(async () => (await stateOf()).failingSince).not.toBeNull()
  })

  it('has a failed delivery when the last attempt was cut off', async () => {
    receiver.status = 503
    const { webhook, id } = await sendOnce()
    await expect.poll(async () => (await jobOf(id))?.lease_until).toBeNull()
    await server.sql`update jobs set attempts = 10, available_at = now() where id = ${id}`
    worker.wake()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ status: 'failed', nextAttemptAt: null })
    await expect.poll(async () => (await jobOf(id))?.status).toBe('dead')
  })

  it('is paused at once when it responds with 410', async () => {
    receiver.status = 410
    const { webhook } = await sendOnce()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ status: 'failed', responseStatus: 410 })
    expect((await server.rest(chef)('GET /webhooks')).body.data.webhooks[0].isActive).toBe(false)
  })

  it('is not followed when it redirects', async () => {
    receiver.status = 307
    const { webhook } = await sendOnce()
    await expect.poll(() => deliveryOf(webhook.id)).toMatchObject({ attempts: 1, responseStatus: 307 })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a ping', () => {
  it('has one attempt, reaches a paused webhook, and is limited to sixty an hour', async () => {
    receiver.status = 500
    const { webhook } = await create(chef, { events: ['team.member.left'] })
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: false })
    const ping = () => server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
    await ping()
    await expect
      .poll(async () => (await deliveriesOf(chef, webhook.id))[0])
      .toMatchObject({ event: 'ping', status: 'failed', attempts: 1, responseStatus: 500 })
    await server.sql`update rate_limits set count = 60 where key = ${`webhook-sends:${team.id}`} and count = 1`
    expect(await ping()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    await server.rest(chef)(`DELETE /webhooks/${webhook.id}`, {})
    const { webhook: next } = await create(chef, { events: ['team.member.left'] })
    expect((await server.rest(chef)(`POST /webhooks/${next.id}/ping`, {})).status).toBe(429)
    const { webhook: community } = await create(admin, { events: ['user.banned'] })
    expect((await server.rest(admin)(`POST /webhooks/${community.id}/ping`, { password: PASSWORD })).status).toBe(200)
  })

  it('fails when the receiver switches protocols', async () => {
    receiver.status = 101
    const { webhook } = await create(chef, { events: ['team.member.left'] })
    await server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
    await expect
      .poll(async () => (await deliveriesOf(chef, webhook.id))[0])
      .toMatchObject({ status: 'failed', attempts: 1 })
  })
})

describe('managing webhooks', () => {
  it('requires the scope admin for those of the community', async () => {
    const { webhook } = await create(admin, { events: ['user.banned'] })
    const token = await createToken(server, admin, 'write')
    const input = { url: receiver.url, events: ['user.banned'] }
    const refused = await server.rest(token)('POST /webhooks', input)
    expect(refused).toMatchObject({ status: 403, body: { code: 'TOKEN_SCOPE_MISSING', params: { scope: 'admin' } } })
    expect((await server.rest(chef)('POST /webhooks', input)).body.code).toBe('ADMINS_ONLY')
    for (const call of [`PUT /webhooks/${webhook.id}`, `POST /webhooks/${webhook.id}/secret`] as const)
      expect((await server.rest(token)(call, {})).body.code).toBe('WEBHOOK_MISSING')
    const withScope = await createToken(server, admin, 'write', 'admin')
    expect((await server.rest(withScope)(`PUT /webhooks/${webhook.id}`, {})).status).toBe(200)
  })

  it('pauses those of a banned chef', async () => {
    const heir = await server.createMember()
    await server.join(team, heir)
    await create(chef, { events: ['team.member.left'] })
    await server.rest(admin)('POST /admin/ban', { userId: chef.id, reason: 'Spam', password: PASSWORD })
    expect((await server.rest(heir)('GET /webhooks')).body.data.webhooks).toMatchObject([{ isActive: false }])
  })

  it.each(['leaves', 'is removed', 'deletes their account'])('pauses those of a chef who %s', async (departure) => {
    const heir = await server.createMember()
    await server.join(team, heir)
    const other = await server.createTeam(chef)
    await create(chef, { events: ['submission.rejected'] })
    const inOther = await create(chef, { events: ['submission.rejected'], teamId: other.id })
    const depart = {
      leaves: () => server.rest(chef)(`POST /teams/${team.id}/leave`),
      'is removed': () => server.rest(chef)(`DELETE /teams/${team.id}/members/${chef.id}`),
      'deletes their account': () => server.rest(chef)(`DELETE /users/${chef.id}`, { password: PASSWORD }),
    }[departure]
    expect((await depart?.())?.status).toBe(200)
    expect((await server.rest(heir)('GET /webhooks')).body.data.webhooks).toMatchObject([{ isActive: false }])
    const [row] = await server.sql`select is_active from webhooks where id = ${inOther.webhook.id}`
    expect(row).toEqual({ is_active: departure !== 'deletes their account' })
  })

  it('pauses one that its chef resumes while leaving', async () => {
    const { webhook } = await create(chef, { events: ['submission.rejected'] })
    await server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: false })
    const waitingForLocks = () =>
      server.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const { resumed, left } = await server.sql.begin(async (sql) => {
      await sql`select from webhooks where id = ${webhook.id} for update`
      const resumed = server.rest(chef)(`PUT /webhooks/${webhook.id}`, { isActive: true })
      await expect.poll(waitingForLocks).toHaveLength(1)
      const left = server.rest(chef)(`POST /teams/${team.id}/leave`)
      await expect.poll(waitingForLocks).toHaveLength(2)
      return { resumed, left }
    })
    expect([(await resumed).status, (await left).status]).toEqual([200, 200])
    expect(await server.sql`select is_active from webhooks where id = ${webhook.id}`).toEqual([{ is_active: false }])
  })

  it('keeps those of a former chef who is still a member', async () => {
    const heir = await server.createMember()
    await server.join(team, heir)
    await create(chef, { events: ['submission.rejected'] })
    await server.rest(chef)(`POST /teams/${team.id}/transfer-ownership`, { newOwnerId: heir.id })
    expect((await server.rest(heir)('GET /webhooks')).body.data.webhooks).toMatchObject([{ isActive: true }])
  })

  it('pauses those of a deleted administrator', async () => {
    const former = await server.createAdmin()
    const created = { url: receiver.url, events: ['user.banned'], password: PASSWORD }
    const { webhook } = (await server.rest(former)('POST /webhooks', created)).body.data
    expect((await server.rest(admin)(`DELETE /admin/users/${former.id}`, { password: PASSWORD })).status).toBe(200)
    expect(await server.sql`select is_active from webhooks where id = ${webhook.id}`).toEqual([{ is_active: false }])
  })

  it('pauses those of a former administrator, though another one has changed their events', async () => {
    const former = await server.createAdmin()
    const created = { url: receiver.url, events: ['user.banned'], password: PASSWORD }
    const { webhook } = (await server.rest(former)('POST /webhooks', created)).body.data
    const changed = { url: receiver.url, events: ['challenge.closed'], password: PASSWORD }
    expect((await server.rest(admin)(`PUT /webhooks/${webhook.id}`, changed)).status).toBe(200)
    await server.rest(admin)(`PUT /admin/users/${former.id}/role`, { role: 'member', password: PASSWORD })
    const [{ isActive } = {}] = await server.sql`select is_active as "isActive" from webhooks where id = ${webhook.id}`
    expect(isActive).toBe(false)
  })

  it('deletes one without failing concurrent joins', async () => {
    const { webhook } = await create(chef, { events: ['team.member.joined'] })
    const members = await Promise.all(Array.from({ length: 3 }, () => server.createMember()))
    const [removed, ...joins] = await Promise.all([
      server.rest(chef)(`DELETE /webhooks/${webhook.id}`),
      ...members.map((member) => server.join(team, member)),
    ])
    expect([removed?.status, ...joins.map(({ status }) => status)]).toEqual([200, 201, 201, 201])
  })

  it('stores the secret encrypted, and signs with both secrets for a day after a rotation', async () => {
    const { webhook, secret } = await create(chef, { events: ['team.member.joined'] })
    const rotated = await server.rest(chef)(`POST /webhooks/${webhook.id}/secret`, {})
    const rows = JSON.stringify(await server.sql`select * from webhooks`)
    expect(rows).not.toContain(secret.slice(6))
    expect(JSON.stringify((await server.rest(chef)('GET /webhooks')).body)).not.toContain(secret.slice(6))
    await server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
    await expect.poll(receiver.types).toEqual(['ping'])
    const [message] = receiver.received
    for (const valid of [secret, rotated.body.data.secret])
      new Webhook(valid).verify(message?.body ?? '', message?.headers as Record<string, string>)
  })

  it('signs with each secret of the last day, ten at most', async () => {
    const { webhook, secret } = await create(chef, { events: ['team.member.joined'] })
    const secrets = [secret]
    const rotate = async () =>
      secrets.push((await server.rest(chef)(`POST /webhooks/${webhook.id}/secret`, {})).body.data.secret)
    const ping = async () => {
      await server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
      await expect.poll(receiver.types).toEqual(['ping'])
      const { body, headers } = receiver.received.pop()!
      return { body, headers: headers as Record<string, string> }
    }
    for (let round = 0; round < 2; round++) await rotate()
    const message = await ping()
    for (const valid of secrets) new Webhook(valid).verify(message.body, message.headers)
    for (let round = 0; round < 9; round++) await rotate()
    const { body, headers } = await ping()
    for (const valid of secrets.slice(-10)) new Webhook(valid).verify(body, headers)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(10)
  })

  it('needs a new secret after APP_SECRET was replaced; that is not the receiver’s failure', async () => {
    const { webhook } = await create(chef, { events: ['team.member.joined'] })
    const former = createSecret(randomBytes(32)).seal(createSigningSecret())
    await server.sql`update webhooks set secret = ${former} where id = ${webhook.id}`
    await server.join(team, await server.createMember())
    const delivery = async () => (await deliveriesOf(chef, webhook.id))[0]
    const error = 'the signing secret can no longer be read: give the webhook a new secret'
    await expect.poll(delivery).toMatchObject({ status: 'pending', attempts: 1, responseStatus: null, error })
    expect((await server.rest(chef)('GET /webhooks')).body.data.webhooks).toMatchObject([{ failingSince: null }])
    expect(receiver.received).toEqual([])
    const { secret } = (await server.rest(chef)(`POST /webhooks/${webhook.id}/secret`, {})).body.data
    await retryNow()
    await expect.poll(delivery).toMatchObject({ status: 'delivered', attempts: 2, error: null })
    const [message] = receiver.received
    new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>)
    // The unreadable secret is the previous one now, and does not sign.
    expect(String(message?.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  it.each(['team', 'community'])('allows ten per %s, also for concurrent calls', async (owner) => {
    const callers = owner === 'team' ? [chef] : [admin, await server.createAdmin()]
    const ownership = owner === 'team' ? { teamId: team.id } : { password: PASSWORD }
    const attempts = Array.from({ length: 14 }, (_, n) =>
      server.rest(callers[n % callers.length])('POST /webhooks', {
        ...ownership,
        url: receiver.url,
        events: ['team.member.left'],
      }),
    )
    const codes = (await Promise.all(attempts)).map(({ status, body }) => body.code ?? status)
    expect(codes.filter((code) => code === 201)).toHaveLength(10)
    expect(codes.filter((code) => code === 'TOO_MANY_WEBHOOKS')).toHaveLength(4)
  })

  it('transfers them to the next chef', async () => {
    const { webhook } = await create(chef, { events: ['team.member.left'] })
    const heir = await server.createMember()
    await server.join(team, heir)
    await server.rest(chef)(`POST /teams/${team.id}/leave`)
    expect((await server.rest(chef)('GET /webhooks')).body.data.webhooks).toEqual([])
    expect((await server.rest(heir)('GET /webhooks')).body.data.webhooks).toMatchObject([{ id: webhook.id }])
  })

  it.each(['user.banned', 'team.created'])('rejects %s for a team', async (event) => {
    const response = await server.rest(chef)('POST /webhooks', {
      teamId: team.id,
      url: receiver.url,
      events: [event],
    })
    expect(response).toMatchObject({ status: 403, body: { code: 'ADMIN_EVENTS_ONLY' } })
  })
})

describe('without the setting for private addresses', () => {
  it.each(['http://hooks.example/', 'https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/'])(
    'refuses %s',
    async (url) => {
      const strict = await openTestServer()
      const owner = await strict.createMember()
      const { id: teamId } = await strict.createTeam(owner)
      const response = await strict.rest(owner)('POST /webhooks', { teamId, url, events: ['team.member.left'] })
      expect(response).toMatchObject({ status: 400, body: { code: 'WEBHOOK_ADDRESS_PRIVATE' } })
      await strict.close()
    },
  )

  it.each(['localhost', 'unknown.example'])('does not connect to %s, nor tell whether it exists', async (host) => {
    const unknown = Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    for (const name of ['resolve4', 'resolve6'] as const)
      vi.spyOn(dns.Resolver.prototype, name).mockRejectedValue(unknown)
    await create(chef, {
      url: receiver.url.replace('http://127.0.0.1', `https://${host}`),
      events: ['team.member.left'],
    })
    await worker.stop()
    const strict = { ...server.deps, config: { ...server.deps.config, webhooks: { isPrivateAllowed: false } } }
    worker = startWorker(strict, { [WEBHOOK_JOB]: webhookHandler(strict, stopping.signal) })
    const [{ id }] = (await server.rest(chef)('GET /webhooks')).body.data.webhooks
    await server.rest(chef)(`POST /webhooks/${id}/ping`, {})
    await expect
      .poll(async () => (await deliveriesOf(chef, id))[0])
      .toMatchObject({ attempts: 1, error: 'the host name has no public address' })
    expect(receiver.received).toEqual([])
    vi.restoreAllMocks()
  })

  it('waits for the name servers, without counting an attempt', async () => {
    const away = Object.assign(new Error('queryA ECONNREFUSED hooks.example'), { code: 'ECONNREFUSED' })
    const spies = (['resolve4', 'resolve6'] as const).map((name) =>
      vi.spyOn(dns.Resolver.prototype, name).mockRejectedValue(away),
    )
    const { webhook } = await create(chef, { url: 'https://hooks.example/', events: ['team.member.left'] })
    await worker.stop()
    const strict = { ...server.deps, config: { ...server.deps.config, webhooks: { isPrivateAllowed: false } } }
    worker = startWorker(strict, { [WEBHOOK_JOB]: webhookHandler(strict, stopping.signal) })
    const ping = await server.rest(chef)(`POST /webhooks/${webhook.id}/ping`, {})
    const { id } = ping.body.data.delivery
    const lastError = async () => (await server.sql`select last_error from jobs where id = ${id}`)[0]?.last_error
    await expect.poll(lastError).toBe('no name server accepts connections')
    const [delivery] = await deliveriesOf(chef, webhook.id)
    expect(delivery).toMatchObject({ status: 'pending', attempts: 0, error: null })
    expect((await server.rest(chef)('GET /webhooks')).body.data.webhooks).toMatchObject([{ failingSince: null }])
    for (const spy of spies) spy.mockRestore()
  })
})
