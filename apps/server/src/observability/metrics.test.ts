import { connect } from '@community/db'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'
import { startMetrics } from './metrics.ts'

const server = await openTestServer()
const metrics = await startMetrics(server.deps, 0)
const app = await buildApp(server.deps, { onResponse: metrics.onResponse, onLive: metrics.onLive })
afterAll(async () => {
  await app.close()
  await metrics.close()
  await server.close()
})

const get = (path: string) => fetch(`http://127.0.0.1:${metrics.port}${path}`)
/** The value of a series; undefined when absent. */
async function valueOf(series: string): Promise<number | undefined> {
  const text = await (await get('/metrics')).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

describe('metrics', () => {
  it('count requests by route pattern, so that ids and unknown paths create no series', async () => {
    const { id } = await server.createTeam(await server.createMember())
    await app.inject(`/api/teams/${id}`)
    await app.inject(`/api/teams/${id}`)
    await app.inject('/trpc/roles.list')
    await app.inject('/trpc/roles.list,roles.list?batch=1')
    await app.inject('/api/nothing/of/the/kind')
    for (const name of ['aaaa', 'roles.lists', 'roles', 'constructor', 'a.b.c'])
      expect((await app.inject(`/trpc/${name}`)).statusCode).toBe(404)
    const count = 'http_request_duration_seconds_count'
    expect(await valueOf(`${count}{method="GET",route="/api/teams/:id",status="200"}`)).toBe(2)
    expect(await valueOf(`${count}{method="GET",route="/trpc/roles.list",status="200"}`)).toBe(1)
    expect(await valueOf(`${count}{method="GET",route="/trpc/batch",status="200"}`)).toBe(1)
    expect(await valueOf(`${count}{method="GET",route="unknown",status="404"}`)).toBe(1)
    expect(await valueOf(`${count}{method="GET",route="/trpc/unknown",status="404"}`)).toBe(5)
    const text = await (await get('/metrics')).text()
    expect(text).not.toContain(id)
    expect(new Set(text.match(/\/trpc\/[\w.]+/g))).toEqual(
      new Set(['/trpc/roles.list', '/trpc/batch', '/trpc/unknown']),
    )
  })

  it('report pending and dead mails, the hashing queue and database connections', async () => {
    await server.sql`insert into jobs (kind, template, recipient, language, payload, status, available_at, created_at)
      values ('mail', 'code-reset', 'a@example.ma', 'en', '', 'dead', now(), now()),
        ('mail', 'code-reset', 'b@example.ma', 'en', '', 'pending', now() + interval '1 hour', now() - interval '90 seconds')`
    await server.sql`insert into jobs (kind, key, payload, status, created_at) values
      ('notification-mail', gen_random_uuid(), '', 'dead', now()), ('notification-digest', gen_random_uuid(), '', 'dead', now())`
    expect(await valueOf('outbox_mails{status="dead"}')).toBe(3)
    expect(await valueOf('dead_jobs{kind="mail"}')).toBe(1)
    expect(await valueOf('dead_jobs{kind="notification-digest"}')).toBe(1)
    expect(await valueOf('outbox_mails{status="pending"}')).toBe(1)
    expect(await valueOf('outbox_oldest_pending_seconds')).toBeGreaterThan(89)
    expect(await valueOf('password_hashes{state="waiting"}')).toBe(0)
    expect(await valueOf('database_connections{state="active"}')).toBeGreaterThan(0)
    expect(await valueOf('database_up')).toBe(1)
  })

  it('report the outcomes of recurring jobs, from the start of the process', async () => {
    metrics.addJobs(['sweep'])
    expect(await valueOf('job_runs_total{job="sweep",outcome="failure"}')).toBe(0)
    expect(await valueOf('job_last_success_timestamp_seconds{job="sweep"}')).toBeGreaterThan(1_700_000_000)
    metrics.onJobDone('sweep', null)
    metrics.onJobDone('sweep', 'no')
    expect(await valueOf('job_runs_total{job="sweep",outcome="success"}')).toBe(1)
    expect(await valueOf('job_runs_total{job="sweep",outcome="failure"}')).toBe(1)
    expect(await valueOf('job_last_success_timestamp_seconds{job="sweep"}')).toBeGreaterThan(1_700_000_000)
  })

  it('report corrected counts, from 0', async () => {
    expect(await valueOf('count_corrections_total')).toBe(0)
    metrics.onCountsCorrected(2)
    expect(await valueOf('count_corrections_total')).toBe(2)
  })

  it('are the only route of their port', async () => {
    expect((await get('/')).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${metrics.port}/metrics`, { method: 'POST' })).status).toBe(404)
    expect((await app.inject('/metrics')).statusCode).toBe(404)
  })

  it('report an unavailable database and keep serving', async () => {
    const nowhere = connect('postgres://nobody@127.0.0.1:1/nothing')
    const offline = await startMetrics({ ...server.deps, db: nowhere.db }, 0)
    const text = await (await fetch(`http://127.0.0.1:${offline.port}/metrics`)).text()
    await offline.close()
    await nowhere.close()
    expect(text).toMatch(/^database_up 0$/m)
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toMatch(/^(?:database_connections|outbox_\w+)[ {]/m)
  })

  it('report a database that rejects the queries as up, and log the error', async () => {
    const logged: unknown[] = []
    const log = { ...server.deps.log, error: (what: unknown) => logged.push(what) } as unknown as typeof server.deps.log
    const metrics = await startMetrics({ ...server.deps, log }, 0)
    await server.sql`alter table jobs rename to elsewhere`
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
    await server.sql`alter table elsewhere rename to jobs`
    await metrics.close()
    expect(text).toMatch(/^database_up 1$/m)
    expect(text).not.toMatch(/^outbox_\w+[ {]/m)
    expect(logged).toHaveLength(1)
  })
})
