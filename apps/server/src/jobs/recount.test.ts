import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { inSeconds } from './queue.ts'
import { recountHandler } from './recount.ts'
import { PostponedJob } from './job-handler.ts'

const server = await openTestServer()
afterAll(() => server.close())

it('logs and reports each correction', async () => {
  const [logged, reported]: [unknown[], number[]] = [[], []]
  const log = { error: (entry: unknown) => logged.push(entry) } as unknown as TestServer['deps']['log']
  const { run } = recountHandler({ db: server.deps.db, log }, new AbortController().signal, (count) =>
    reported.push(count),
  )
  const job = {} as Parameters<typeof run>[0]
  await run(job, undefined)
  await server.sql`insert into counts values ('warnings', 0, 2)`
  await run(job, undefined)
  await run(job, undefined)
  expect(logged).toEqual([{ drift: { name: 'warnings', key: 0, counted: 2, actual: 0 } }])
  expect(reported).toEqual([0, 1, 0])
})

it('runs next at three in the morning', async () => {
  const { every = 0 } = recountHandler(server.deps, new AbortController().signal)
  const [row] = await server.deps.db.execute<{ at: string; days: number }>(sql`
    select to_char(at, 'HH24:MI') as at, at::date - (now() at time zone 'UTC')::date as days
    from (select (${inSeconds(every)}) at time zone 'UTC' as at) next`)
  expect(row).toEqual({ at: '03:00', days: 1 })
})

it('is postponed by a stop of the server', async () => {
  const { run } = recountHandler(server.deps, AbortSignal.abort())
  await expect(run({} as Parameters<typeof run>[0], undefined)).rejects.toBeInstanceOf(PostponedJob)
})
