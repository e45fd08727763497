import { inTransaction } from '@community/db'
import { afterAll, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { emitToAll } from '../webhooks/emit-to-all.ts'
import { EVENT_JOB } from '../webhooks/job-kinds.ts'
import { createJobHandlers } from './handlers.ts'
import { startWorker } from './worker.ts'

const server = await openTestServer()
await server.stopWorker()
afterAll(() => server.close())

/** Runs the job in a process that stops during its first batch; resolves with the job. */
async function stopDuring(kind: string) {
  const handlers = createJobHandlers(server.deps, { stopping: AbortSignal.abort() })
  const handler = { ...(handlers[kind] ?? expect.fail()), startDelay: 0 }
  const worker = startWorker(server.deps, { [kind]: handler })
  const findJob = async () => {
    const [job] = await server.sql`
      select status, attempts, available_at <= now() as "isDue", last_error as "lastError", lease_until as "leaseUntil"
      from jobs where kind = ${kind} order by created_at desc limit 1`
    return job
  }
  try {
    await expect.poll(async () => (await findJob())?.['attempts']).toBe(1)
  } finally {
    await worker.stop()
  }
  return findJob()
}

it('goes on with the deliveries of an event in another process', async () => {
  const { sql, deps } = server
  await sql`insert into webhooks (url, events, secret, created_at)
    select 'https://hooks.example', '{challenge.published}', '', now() - interval '1 minute' from generate_series(1, 1500)`
  const event = { name: 'challenge.published', data: {} as never, at: new Date() } as const
  await inTransaction(server.db, (tx) => emitToAll(tx, deps, event))
  expect(await stopDuring(EVENT_JOB)).toMatchObject({ status: 'pending', attempts: 0, isDue: true, leaseUntil: null })
  const deliveries = () => sql`select 1 from webhook_deliveries`
  expect(await deliveries()).toHaveLength(1000)
  const handlers = createJobHandlers(deps, { stopping: new AbortController().signal })
  const successor = startWorker(deps, { [EVENT_JOB]: handlers[EVENT_JOB] ?? expect.fail() })
  await expect.poll(deliveries).toHaveLength(1500)
  await successor.stop()
})
