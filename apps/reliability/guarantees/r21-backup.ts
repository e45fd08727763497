import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@community/testing'
import { Client, dataOf, requestOf } from '@community/testing/api-client'
import postgres from 'postgres'
import type { Figures, Guarantee, GuaranteeContext } from '../guarantee.ts'
import { createTeam, joinRequest } from '@community/testing/community'
import { brokenInvariantsOf, type Fixture, insertTeams } from '../harness/fixture.ts'
import { startLoad } from '../harness/load.ts'
import { createFolder, findPrograms, openArchive, run, startSystemPostgres } from '../harness/system-postgres.ts'
import { usersOn } from '@community/testing/database/users'

/** Seconds until a server is ready on a restored database. */
const RESTORED_WITHIN = 600

/** Each table's number of rows, and a checksum that ignores their order. */
async function contentsOf(sql: postgres.Sql): Promise<Map<string, string>> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`
  const contents = new Map<string, string>()
  for (const { schema, name } of tables) {
    const [content] = await sql<{ rows: number; sum: string }[]>`
      select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum from ${sql(schema)}.${sql(name)} t`
    contents.set(`${schema}.${name}`, `${content?.rows} rows, ${content?.sum}`)
  }
  return contents
}

/** Restores a dump into an empty cluster. */
async function restoreDump(context: GuaranteeContext, programs: string, fixture: Fixture): Promise<Figures> {
  const { byTier, expect, expectNone, onFinished } = context
  const [from, to] = [await startSystemPostgres(programs), await startSystemPostgres(programs)]
  onFinished(() => Promise.all([from.remove(), to.remove()]))
  const [before, after] = [postgres(from.url, { max: 1 }), postgres(to.url, { max: 1 })]
  const first = await fixture.startServer({ DATABASE_URL: from.url })
  const client = new Client(first.port)
  const { createMember } = usersOn(before)
  const member = await createMember()
  const team = await createTeam(client, await createMember())
  await dataOf(client.call(joinRequest(team, member)))
  await insertTeams(before, byTier({ short: 10_000, full: 100_000, long: 1_000_000 }))
  await first.end('SIGTERM')

  const dumped = await contentsOf(before)
  const folder = await createFolder()
  onFinished(() => rm(folder, { recursive: true, force: true }))
  const file = `${folder}/community.dump`
  const startedAt = performance.now()
  await run(`${programs}/pg_dump`, ['--format=custom', `--file=${file}`, from.url])
  await run(`${programs}/pg_restore`, ['--no-owner', '--exit-on-error', '--jobs=2', `--dbname=${to.url}`, file])
  const restored = await contentsOf(after)
  for (const [table, content] of dumped)
    expect(restored.get(table) === content, `${table}: ${restored.get(table)} instead of ${content}`)
  expect(restored.size === dumped.size, `${restored.size} tables instead of ${dumped.size}`)

  const second = new Client((await fixture.startServer({ DATABASE_URL: to.url })).port)
  const servedAfter = Math.round((performance.now() - startedAt) / 1000)
  const found = await second.call(`GET /teams/${team.id}`, member)
  expect(found.body?.data?.team?.members?.length === 2, `the team is answered ${found.status}`)
  const left = await second.call(requestOf('teams.leave', { id: team.id }, member))
  expect(left.status === 200, `leaving the team is answered ${left.status}`)
  expectNone(await brokenInvariantsOf(after))
  expect(servedAfter <= RESTORED_WITHIN, `served only after ${servedAfter} s`)
  return { 'tables restored': dumped.size, 'from the dump to a server on its copy': `${servedAfter} s` }
}

/** Point-in-time recovery of a cluster that is lost: to a time, and to the end of its archived log. */
async function recoverFromLog(context: GuaranteeContext, programs: string, fixture: Fixture): Promise<Figures> {
  const { byTier, expect, expectNone, onFinished } = context
  // Seconds: the archive timeout; the writes that may be lost; the writing before the recovery time.
  const { archived, lost, written } = byTier({
    short: { archived: 2, lost: 8, written: 8 },
    full: { archived: 30, lost: 60, written: 75 },
  })
  const archive = await openArchive(programs)
  onFinished(() => archive.remove())
  const cluster = await startSystemPostgres(programs, archive.settings(archived))
  onFinished(() => cluster.remove())
  const sql = postgres(cluster.url, { max: 4 })
  const server = await fixture.startServer({ DATABASE_URL: cluster.url })
  const writes: { name: string; startedAt: number; ended: number }[] = []
  const load = await startLoad({ clients: [new Client(server.port)], sql, ...usersOn(sql) }, context, {
    respondsWithin: 10_000,
    onResponse({ status, body }, startedAt) {
      if (status === 201) writes.push({ name: body.data.team.name, startedAt, ended: performance.now() })
    },
  })
  await archive.copy(cluster.url)
  await sleep(written * 1000)
  const [time, at] = [new Date(), performance.now()]
  const [segment] = await sql<{ name: string }[]>`select pg_walfile_name(pg_current_wal_lsn()) as name`
  const isArchived = async () => {
    const [last] = await sql<{ name: string | null }[]>`select last_archived_wal as name from pg_stat_archiver`
    return Boolean(last?.name && segment && (last.name === segment.name || last.name.slice(0, 24) > segment.name))
  }
  await until('the log is archived', isArchived, 120_000)
  await load.end()
  const lostAt = performance.now()
  await server.end('SIGKILL')
  await sql.end({ timeout: 1 })
  await cluster.remove()

  const [early, late] = [writes.filter(({ ended }) => ended < at), writes.filter(({ startedAt }) => startedAt > at)]
  const inTime = writes.filter(({ ended }) => ended < lostAt - lost * 1000)
  expect(inTime.length > 0 && late.length > 0, 'nothing was written in time: nothing was tried')
  const expectRestored = async (
    what: string,
    restoredTo: Date | undefined,
    wanted: typeof writes,
    unwanted: typeof writes,
  ) => {
    const restored = await archive.restore(restoredTo)
    onFinished(() => restored.remove())
    const after = postgres(restored.url, { max: 1 })
    const names = new Set((await after`select name from teams`).map(({ name }) => String(name)))
    const missing = wanted.filter(({ name }) => !names.has(name)).length
    const surplus = unwanted.filter(({ name }) => names.has(name)).length
    expect(missing === 0, `${what}: ${missing} of ${wanted.length} acknowledged writes are lost`)
    expect(surplus === 0, `${what}: ${surplus} later writes are there`)
    expectNone(await brokenInvariantsOf(after))
    await fixture.startServer({ DATABASE_URL: restored.url })
  }
  await expectRestored('at the time', time, early, late)
  await expectRestored('at the log’s end', undefined, inTime, [])
  return { 'writes before the time': early.length, 'after it': late.length, 'restored from the log': inTime.length }
}

export const guarantee: Guarantee = {
  id: 'R21',
  statement:
    'A backup restored into an empty cluster is identical to the last row, and the product runs on it; with the archived log also at a chosen time',
  from: 'long',
  async run(context) {
    const programs = await findPrograms()
    const fixture = await context.openFixture()
    return { ...(await restoreDump(context, programs, fixture)), ...(await recoverFromLog(context, programs, fixture)) }
  },
}
