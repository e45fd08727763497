import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDatabaseUnavailable } from '@community/db'
import { sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../context.ts'
import { isEventStream } from '../http/event-path.ts'
import { deadJobs, MAIL_KINDS, pendingMails } from './job-queries.ts'
import { type LiveLoad, registerLiveMetrics } from './live-metrics.ts'
import { routeNameOf } from './route-name.ts'

export interface Metrics {
  port: number
  onResponse(request: FastifyRequest, reply: FastifyReply): void
  onLive(load: () => LiveLoad): void
  /** Adds the series of recurring jobs, so that one that never succeeds is noticed too. */
  addJobs(kinds: string[]): void
  onJobDone(job: string, error: string | null): void
  onCountsCorrected(corrections: number): void
  close(): Promise<void>
}

/** Serves Prometheus metrics at `/metrics` on a separate port: requests, the process, database connections, queued mails and jobs. */
export async function startMetrics({ db, replica, passwords, config, log }: Deps, port: number): Promise<Metrics> {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const jobRuns = new Counter({
    name: 'job_runs_total',
    help: 'Runs of a recurring job by outcome',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const jobSuccess = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a recurring job last succeeded; before that, when the process started',
    labelNames: ['job'],
    registers,
  })
  const corrections = new Counter({
    name: 'count_corrections_total',
    help: 'Counts that differed from their rows in a nightly recount',
    registers,
  })
  const databaseUp = new Gauge({ name: 'database_up', help: '1 when the database responds', registers })
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections of all processes of the product, by state',
    labelNames: ['state'],
    registers,
  })
  const outboxMails = new Gauge({
    name: 'outbox_mails',
    help: 'Pending mails and those given up',
    labelNames: ['status'],
    registers,
  })
  const jobsDead = new Gauge({
    name: 'dead_jobs',
    help: 'Jobs given up, by kind',
    labelNames: ['kind'],
    registers,
  })
  const oldestPendingMail = new Gauge({
    name: 'outbox_oldest_pending_seconds',
    help: 'Age of the oldest pending mail that is not a notification',
    registers,
  })
  registry.registerMetric(
    new Counter({
      name: 'database_replica_reads_total',
      help: 'Reads that may be seconds old, by the server that ran them; none without DATABASE_REPLICA_URL',
      labelNames: ['server'],
      registers: [],
      collect() {
        this.reset()
        for (const [name, count] of Object.entries(replica?.reads ?? {})) this.inc({ server: name }, count)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'password_hashes',
      help: 'Password hashes running and waiting',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { running, waiting } = passwords.load()
        this.set({ state: 'running' }, running)
        this.set({ state: 'waiting' }, waiting)
      },
    }),
  )

  const collectDatabaseMetrics = async () => {
    const [[pending], dead, states] = await Promise.all([
      pendingMails(db, {}),
      deadJobs(db, {}),
      db.execute<{ state: string; count: number }>(sql`
        select coalesce(state, 'other') as state, count(*)::int as count from pg_stat_activity
        where application_name = current_setting('application_name') and datname = current_database() group by 1`),
    ])
    connections.reset()
    for (const { state, count } of states) connections.set({ state }, count)
    jobsDead.reset()
    for (const { kind, count } of dead) jobsDead.set({ kind }, count)
    const deadMails = dead.filter(({ kind }) => MAIL_KINDS.includes(kind))
    outboxMails.set({ status: 'pending' }, pending?.count ?? 0)
    outboxMails.set(
      { status: 'dead' },
      deadMails.reduce((sum, { count }) => sum + count, 0),
    )
    oldestPendingMail.set(pending?.oldestSeconds ?? 0)
  }

  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collectDatabaseMetrics()
      .then(
        () => databaseUp.set(1),
        (error: unknown) => {
          const isUnavailable = isDatabaseUnavailable(error)
          if (!isUnavailable) log.error({ err: error }, 'collecting database metrics failed')
          databaseUp.set(isUnavailable ? 0 : 1)
          // Do not report stale gauges.
          for (const gauge of [connections, outboxMails, jobsDead]) gauge.reset()
          oldestPendingMail.remove()
        },
      )
      .then(() => registry.metrics())
      .then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error: unknown) => {
          log.error({ err: error }, 'rendering metrics failed')
          response.writeHead(500).end()
        },
      )
  })
  server.listen(port, config.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    onResponse(request, reply) {
      // An event stream ends only when its client disconnects.
      if (isEventStream(request)) return
      const labels = { method: request.method, route: routeNameOf(request), status: reply.statusCode }
      requests.observe(labels, reply.elapsedTime / 1000)
    },
    onLive(load) {
      registerLiveMetrics(registry, load)
    },
    addJobs(kinds) {
      for (const job of kinds) {
        for (const outcome of ['success', 'failure']) jobRuns.inc({ job, outcome }, 0)
        jobSuccess.setToCurrentTime({ job })
      }
    },
    onJobDone(job, error) {
      jobRuns.inc({ job, outcome: error === null ? 'success' : 'failure' })
      if (error === null) jobSuccess.setToCurrentTime({ job })
    },
    onCountsCorrected: (count) => corrections.inc(count),
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
