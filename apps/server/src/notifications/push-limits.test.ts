import { randomUUID } from 'node:crypto'
import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { times } from '@community/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPushClient, createPushSettings, startPushService } from '../../test/push-service.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { notificationPushHandler } from '../jobs/notification-push.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { notify } from './notify.ts'
import { PUSH_JOB } from './push-commands.ts'

const TEAM = { team: 'Atlas Lions', teamId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }
let server: TestServer
let service: Awaited<ReturnType<typeof startPushService>>
let member: TestUser
let worker: Worker | undefined

beforeAll(async () => {
  server = await openTestServer(createPushSettings())
  service = await startPushService()
})
beforeEach(async () => {
  await server.sql`delete from jobs`
  service.received.length = 0
  member = await server.createMember()
})
afterEach(async () => {
  service.respond()
  await worker?.stop()
  worker = undefined
  vi.restoreAllMocks()
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const newClient = () => createPushClient(`${service.origin}/${randomUUID()}`).subscription
const pathOf = ({ endpoint }: { endpoint: string }) => new URL(endpoint).pathname
const subscribe = (user: TestUser, subscription = newClient()) =>
  server.rest(user)('PUT /notifications/push', subscription)
/** Adds sign-ins with one subscription each, every next one a minute older. Returns their paths at the push service, the newest first. */
async function addSubscriptions(count: number) {
  const added = times(count, newClient)
  for (const [age, { endpoint, keys }] of added.entries())
    await server.sql`
      with family as (insert into refresh_families (user_id, expires_at)
        values (${member.id}, now() + interval '1 day') returning id)
      insert into push_subscriptions (family_id, user_id, endpoint, p256dh, auth, created_at)
      select id, ${member.id}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, now() - ${age + 1} * interval '1 minute' from family`
  return added.map(pathOf)
}
const pathsOf = async ({ id }: TestUser) => {
  const rows = await server.sql`select endpoint from push_subscriptions where user_id = ${id} order by created_at desc`
  return rows.map(({ endpoint }) => pathOf({ endpoint }))
}
const notifyOfChef = ({ id: userId }: TestUser) =>
  inTransaction(server.db, (tx) => notify(tx, { userId }, { kind: 'team.chef', params: TEAM, actorId: null }))
const startPushWorker = () =>
  (worker = startWorker(server.deps, {
    [PUSH_JOB]: notificationPushHandler(server.deps, new AbortController().signal),
  }))

describe('the subscriptions of a person', () => {
  it('are twenty at most: another one replaces the oldest', async () => {
    const paths = await addSubscriptions(limits.PUSH_SUBSCRIPTIONS_MAX)
    const subscription = newClient()
    expect((await subscribe(member, subscription)).status).toBe(200)
    expect(await pathsOf(member)).toEqual([pathOf(subscription), ...paths.slice(0, -1)])
    // A repeated subscription is not another one.
    expect((await subscribe(member, subscription)).status).toBe(200)
    expect(await pathsOf(member)).toHaveLength(limits.PUSH_SUBSCRIPTIONS_MAX)
  })

  it('move to one of five people who subscribe the same browser at once', async () => {
    const people: TestUser[] = []
    for (let count = 0; count < 5; count++) people.push(await server.createMember())
    for (let round = 0; round < 5; round++) {
      const subscription = newClient()
      const responses = await Promise.all(people.map((person) => subscribe(person, subscription)))
      expect(responses.map(({ status }) => status)).toEqual(people.map(() => 200))
      const owned = (await Promise.all(people.map(pathsOf))).flat()
      expect(owned.filter((path) => path === pathOf(subscription))).toHaveLength(1)
    }
  })
})

describe('a push service that does not respond', () => {
  it('does not delay the messages of others', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
    const hanging = await addSubscriptions(12)
    for (const path of hanging) service.statuses.set(path, 'no response')
    const other = await server.createMember()
    const subscription = newClient()
    await subscribe(other, subscription)
    await notifyOfChef(member)
    await notifyOfChef(other)
    startPushWorker()
    const received = () => service.received.map(({ path }) => path)
    await expect.poll(received).toContain(pathOf(subscription))
    expect(received().filter((path) => hanging.includes(path))).toHaveLength(2)
    expect(timeout).toHaveBeenCalledWith(5000)
    for (const path of hanging) service.statuses.delete(path)
    service.respond()
    const pending = async () => {
      await server.clock.makeJobsDue({ kind: PUSH_JOB, status: 'pending' })
      worker?.wake()
      return server.sql`select id from jobs where kind = ${PUSH_JOB} and (status <> 'done' or attempts > 1)`
    }
    await expect.poll(pending).toEqual([])
    expect(received()).toHaveLength(13)
  })

  /** Moves the clock to each attempt. Returns the seconds from the first to the last. */
  async function attemptAll(onAttempt: (seconds: number) => void) {
    let seconds = 0
    startPushWorker()
    for (;;) {
      onAttempt(seconds)
      const due = () => server.sql`select 1 from jobs where kind = ${PUSH_JOB} and status = 'pending'
        and (lease_until is not null or available_at <= now())`
      await expect.poll(due).toEqual([])
      const [next] = await server.sql`select extract(epoch from available_at - now())::float8 as wait from jobs
        where kind = ${PUSH_JOB} and status = 'pending'`
      if (!next) return seconds
      seconds += next['wait']
      await server.clock.makeJobsDue({ kind: PUSH_JOB, status: 'pending' })
      worker?.wake()
    }
  }

  it('for an hour, gets the message afterwards', async () => {
    const subscription = newClient()
    await subscribe(member, subscription)
    await notifyOfChef(member)
    const seconds = await attemptAll((waited) => {
      service.statuses.set(pathOf(subscription), waited < 3600 ? 'closed connection' : 201)
    })
    expect(seconds).toBeLessThan(2 * 3600)
    expect(await server.sql`select status from jobs where kind = ${PUSH_JOB}`).toEqual([{ status: 'done' }])
    expect(await pathsOf(member)).toEqual([pathOf(subscription)])
  })

  it.each([
    ['loses the subscription after a day', 'closed connection', 0],
    ['keeps the subscription while it responds with errors', 503, 1],
  ] as const)('%s', async (_what, outcome, left) => {
    const subscription = newClient()
    service.statuses.set(pathOf(subscription), outcome)
    await subscribe(member, subscription)
    await notifyOfChef(member)
    const seconds = await attemptAll(() => {})
    expect(Math.round(seconds / 3600)).toBe(23)
    expect(await server.sql`select status, attempts from jobs where kind = ${PUSH_JOB}`).toEqual([
      { status: 'dead', attempts: 7 },
    ])
    expect(await pathsOf(member)).toHaveLength(left)
  })
})
