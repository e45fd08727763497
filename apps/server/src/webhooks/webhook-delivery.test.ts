import { PASSWORD } from '@community/testing'
import { startWebhookReceiver } from '@community/testing/webhook-receiver'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { challengeDeadlinesHandler, webhookEventHandler, webhookHandler } from '../jobs/webhooks.ts'
import type { Job } from '../jobs/queue.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { EVENT_JOB, WEBHOOK_JOB } from './job-kinds.ts'

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let worker: Worker

const server = await openTestServer({ WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' })
const admin = await server.createAdmin()
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  worker = startWorker(server.deps, {
    [WEBHOOK_JOB]: webhookHandler(server.deps, new AbortController().signal),
    [EVENT_JOB]: webhookEventHandler(server.deps, new AbortController().signal),
  })
})
afterEach(async () => {
  await worker.stop()
  await receiver.close()
  await server.sql`delete from webhooks`
  await server.sql`delete from jobs where kind = 'webhook'`
})
afterAll(() => server.close())

const createWebhook = async (...events: string[]) => {
  const input = { url: receiver.url, events, password: PASSWORD }
  const response = await server.rest(admin)('POST /webhooks', input)
  expect(response.status).toBe(201)
  return response.body.data.webhook as { id: string }
}
const receivedReasons = () =>
  receiver.received.map(({ message }) => [message.type, message.data.reason].join(' ').trim())
const runDeadlineJob = () => challengeDeadlinesHandler(server.deps).run({} as Job, '')
const waitUntilDelivered = async () => {
  worker.wake()
  await expect
    .poll(() => server.sql`select 1 from jobs where kind in ('webhook', 'webhook-event') and status = 'pending'`)
    .toHaveLength(0)
}

describe('an event that only a newer version knows', () => {
  it('is left out of webhooks and deliveries', async () => {
    const { id } = await createWebhook('team.created')
    const request = server.rest(admin)
    await server.sql`update webhooks set events = '{team.created,team.renamed}' where id = ${id}`
    await server.sql`insert into webhook_deliveries (webhook_id, event, body) values (${id}, 'team.renamed', '{}'), (${id}, 'ping', '{}')`
    expect((await request('GET /webhooks')).body.data.webhooks).toMatchObject([{ id, events: ['team.created'] }])
    const listed = await request(`GET /webhooks/${id}/deliveries`)
    expect(listed.body.data).toMatchObject({ deliveries: [{ event: 'ping' }], pagination: { total: 1 } })
    expect((await request(`PUT /webhooks/${id}`, { isActive: false, password: PASSWORD })).status).toBe(200)
  })
})

describe('an event for every team', () => {
  it('reaches thousands of webhooks once, in batches outside the transaction of its cause, also if its job runs again', async () => {
    const sql = server.sql
    await sql.unsafe(`
      create function reject_large_inserts() returns trigger language plpgsql as $$
      begin if (select count(*) from added) > 1000 then raise exception 'too many at once'; end if; return null; end $$`)
    await sql.unsafe(`create trigger limit_inserted_rows after insert on webhook_deliveries
      referencing new table as added for each statement execute function reject_large_inserts()`)
    await worker.stop()
    await sql`insert into webhooks (url, events, secret, created_at)
      select ${receiver.url}, '{challenge.published}', '', now() - interval '1 minute' from generate_series(1, 2500)`
    await server.createChallenge(admin)
    const deliveries = () => sql`select 1 from webhook_deliveries`
    expect(await deliveries()).toHaveLength(0)
    worker = startWorker(server.deps, { [EVENT_JOB]: webhookEventHandler(server.deps, new AbortController().signal) })
    await expect.poll(deliveries).toHaveLength(2500)
    const [job] = await sql<Job[]>`select * from jobs where kind = 'webhook-event' order by created_at desc limit 1`
    // As after an interrupted run.
    await sql`update jobs set status = 'pending', payload = ${server.deps.secret.seal(
      JSON.stringify({ name: 'challenge.published', data: {}, at: new Date().toISOString() }),
    )} where id = ${job?.id ?? ''}`
    worker.wake()
    await expect.poll(() => sql`select 1 from jobs where kind = 'webhook-event' and status = 'pending'`).toEqual([])
    expect(await deliveries()).toHaveLength(2500)
    await sql.unsafe('drop trigger limit_inserted_rows on webhook_deliveries')
  })
})

describe('receivers that do not respond', () => {
  it('do not delay the deliveries of another owner', async () => {
    const hanging = await startWebhookReceiver()
    let respond = () => {}
    const responding = new Promise<void>((resolve) => (respond = resolve))
    hanging.beforeResponse = () => responding
    const chef = await server.createMember()
    for (const team of [await server.createTeam(chef), await server.createTeam(chef)])
      await server.sql`
        with hook as (insert into webhooks (team_id, created_by, url, events, secret)
          values (${team.id}, ${chef.id}, ${hanging.url}, '{team.member.left}', ${server.deps.secret.seal('whsec_AAAA')})
          returning id),
        delivery as (insert into webhook_deliveries (webhook_id, event, body)
          select id, 'team.member.left', '{"type":"team.member.left"}' from hook, generate_series(1, 30) returning id)
        insert into jobs (id, kind, payload) select id, 'webhook', '' from delivery`
    worker.wake()
    await expect.poll(hanging.types).toHaveLength(5)
    const { id } = await createWebhook('user.banned')
    await server.rest(admin)(`POST /webhooks/${id}/ping`, { password: PASSWORD })
    await expect.poll(receiver.types, { timeout: 5000 }).toEqual(['ping'])
    expect(hanging.types()).toHaveLength(5)
    respond()
    const outcomes = async () => {
      await server.clock.makeJobsDue({ kind: 'webhook', status: 'pending' })
      worker.wake()
      return server.sql`select count(*)::int, status, attempts from webhook_deliveries
        where event = 'team.member.left' group by status, attempts`
    }
    await expect.poll(outcomes).toEqual([{ count: 60, status: 'delivered', attempts: 1 }])
    expect(hanging.received).toHaveLength(60)
    await hanging.close()
  })
})

describe('a delivery that is redelivered during its last attempt', () => {
  it.each([500, 204])('is sent again after the response %s', async (status) => {
    const { id } = await createWebhook('user.banned')
    let isFirst = true
    let redeliverStatus: Promise<number> | undefined
    receiver.beforeResponse = async () => {
      if (!isFirst) return
      isFirst = false
      receiver.status = status
      const [delivery] = await server.sql`select id from webhook_deliveries where webhook_id = ${id}`
      const endpoint = `POST /webhooks/${id}/deliveries/${delivery?.id}/redeliver` as const
      redeliverStatus = server
        .rest(admin)(endpoint, { password: PASSWORD })
        .then((response) => response.status)
      await redeliverStatus
    }
    // A ping has one attempt.
    await server.rest(admin)(`POST /webhooks/${id}/ping`, { password: PASSWORD })
    await expect.poll(receiver.types).toEqual(['ping', 'ping'])
    expect(await redeliverStatus).toBe(200)
  })
})

describe('an attempt that ends after a newer one', () => {
  it('keeps the outcome of the newer one', async () => {
    const { id } = await createWebhook('user.banned')
    const delivery = async () => {
      const [row] = await server.sql`select id, status, attempts from webhook_deliveries where webhook_id = ${id}`
      return row
    }
    let isFirst = true
    receiver.beforeResponse = async () => {
      if (!isFirst) return
      isFirst = false
      const endpoint = `POST /webhooks/${id}/deliveries/${(await delivery())?.id}/redeliver` as const
      await server.rest(admin)(endpoint, { password: PASSWORD })
      await expect.poll(delivery).toMatchObject({ status: 'delivered', attempts: 1 })
      receiver.status = 500
    }
    await server.rest(admin)(`POST /webhooks/${id}/ping`, { password: PASSWORD })
    await expect.poll(delivery).toMatchObject({ status: 'delivered', attempts: 2 })
    expect((await server.rest(admin)('GET /webhooks')).body.data.webhooks).toMatchObject([{ failingSince: null }])
  })
})

describe('a receiver that is away for an hour', () => {
  /** Seconds to the next attempt; null when none is left. */
  const nextWait = async (): Promise<number | null> => {
    const busy = () => server.sql`select 1 from jobs where kind = 'webhook' and status = 'pending'
      and (lease_until is not null or available_at <= now())`
    await expect.poll(busy).toEqual([])
    const [next] = await server.sql`select extract(epoch from min(available_at) - now())::float8 as wait from jobs
      where kind = 'webhook' and status = 'pending'`
    return next?.wait
  }
  const moveClock = async (seconds: number) => {
    await server.clock.age('jobs', 'available_at', seconds, { kind: 'webhook', status: 'pending' })
    worker.wake()
  }

  it('receives every message, each with one id, and can order them by their timestamps', async () => {
    const { id } = await createWebhook('team.member.joined')
    const team = await server.createTeam(await server.createMember(), { maxMembers: 11 })
    receiver.status = 503
    const joined: string[] = []
    let failed: typeof receiver.received = []
    let seconds = 0
    for (let wait: number | null = 0; wait !== null; wait = await nextWait()) {
      seconds += wait
      if (seconds >= 3600 && receiver.status === 503) {
        failed = receiver.received.splice(0)
        receiver.status = 204
      }
      if (joined.length < 4) {
        const member = await server.createMember()
        await server.join(team, member)
        joined.push(member.id)
      }
      await moveClock(wait)
    }
    const deliveries = await server.sql`select id, status from webhook_deliveries where webhook_id = ${id}`
    expect(seconds).toBeLessThan(3 * 3600)
    expect(deliveries.map(({ status }) => status)).toEqual(joined.map(() => 'delivered'))
    const idOf = ({ headers }: (typeof receiver.received)[number]) => String(headers['webhook-id'])
    expect(new Set(receiver.received.map(idOf))).toEqual(new Set(deliveries.map((delivery) => delivery.id)))
    expect(new Set(failed.map(idOf))).toEqual(new Set(receiver.received.map(idOf)))
    expect(new Set([...failed, ...receiver.received].map(({ body }) => body)).size).toBe(joined.length)
    const byTime = receiver.received.toSorted((a, b) => a.message.timestamp.localeCompare(b.message.timestamp))
    expect(byTime.map(({ message }) => message.data.userId)).toEqual(joined)
  })
})

describe('challenge.closed', () => {
  const passDeadline = (id: string) => server.clock.passDeadline(id, 5)
  const updateChallenge = (id: string, changes: object) =>
    server.rest(admin)(`PUT /admin/challenges/${id}`, { ...changes, password: PASSWORD })
  const postAction = (action: string, id: string) =>
    server.rest(admin)(`POST /admin/challenges/${id}/${action}`, { password: PASSWORD })
  const openChallenge = async () => {
    const challenge = await server.createChallenge(admin)
    await waitUntilDelivered()
    await createWebhook('challenge.published', 'challenge.closed')
    await server.clock.setAge('webhooks', 'created_at', 3600)
    return challenge.id
  }

  it('is emitted for a deadline that an administrator moves seconds after it passed', async () => {
    const id = await openChallenge()
    await passDeadline(id)
    await updateChallenge(id, { deadline: new Date(Date.now() + 86_400_000).toISOString() })
    await waitUntilDelivered()
    expect(receivedReasons().toSorted()).toEqual(['challenge.closed deadline', 'challenge.published'])
  })

  it('is emitted once for a deadline that passed before a deactivation or deletion', async () => {
    const id = await openChallenge()
    await passDeadline(id)
    await postAction('deactivate', id)
    await runDeadlineJob()
    await waitUntilDelivered()
    expect(receivedReasons()).toEqual(['challenge.closed deadline'])
    const other = await openChallenge()
    receiver.received.length = 0
    await server.sql`delete from webhooks where id <> (select id from webhooks limit 1)`
    await passDeadline(other)
    await server.rest(admin)(`DELETE /admin/challenges/${other}`, { password: PASSWORD })
    await waitUntilDelivered()
    expect(receivedReasons()).toEqual(['challenge.closed deadline'])
  })

  it('is not emitted a second time when a challenge is activated after its deadline', async () => {
    const id = await openChallenge()
    await postAction('deactivate', id)
    await passDeadline(id)
    await postAction('activate', id)
    await runDeadlineJob()
    await waitUntilDelivered()
    expect(receivedReasons()).toEqual(['challenge.closed deactivated'])
  })
})
