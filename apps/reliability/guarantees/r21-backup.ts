import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { Client } from '../harness/client.ts'
import { joinRequest, makeTeam, must } from '../harness/community.ts'
import { startLoad } from '../harness/load.ts'
import { peopleOn } from '../harness/people.ts'
import { freePort, startServerWith } from '@community/testing/server'
import { brokenInvariantsOf, type Fixture } from '../harness/fixture.ts'
import { moveByDump, openArchive, startSystemPostgres, systemPrograms } from '../harness/system-postgres.ts'
import { byTier, type Figures, type Guarantee, type GuaranteeContext } from '../guarantee.ts'

/** Seconds until a restored database serves. */
const RESTORED_WITHIN = 600

/** What each table holds, in a number that does not depend on the order of its rows. */
async function contentsOf(sql: postgres.Sql): Promise<Map<string, string>> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`
  const contents = new Map<string, string>()
  for (const { schema, name } of tables) {
    const [row] = await sql<{ rows: number; sum: string }[]>`
      select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum from ${sql(schema)}.${sql(name)} t`
    contents.set(`${schema}.${name}`, `${row?.rows} rows, ${row?.sum}`)
  }
  return contents
}

const rowsOf = (contents: Map<string, string>) =>
  [...contents.values()].reduce((sum, content) => sum + Number.parseInt(content, 10), 0)

const serverOn = async ({ settings }: Fixture, url: string) =>
  startServerWith({ ...settings, DATABASE_URL: url, PORT: String(await freePort()) })

/** Everything at once: a dump, restored into an empty cluster. */
async function byDump(context: GuaranteeContext, programs: string, fixture: Fixture): Promise<Figures> {
  const filling = byTier(context, { short: 10_000, full: 100_000, long: 1_000_000 })
  const { violations } = context
  const [from, to] = [await startSystemPostgres(programs), await startSystemPostgres(programs)]
  const [before, after] = [postgres(from.url, { max: 1 }), postgres(to.url, { max: 1 })]
  try {
    const first = await serverOn(fixture, from.url)
    const client = new Client(first.port)
    const people = peopleOn(before)
    const [chef, joiner] = await people.members(2)
    if (!chef || !joiner) throw new Error('two were made')
    const team = await makeTeam(client, chef)
    const join = joinRequest(team.id, team)
    await must(client.call(join.line, { token: joiner.token, body: join.body }))
    await before`insert into teams (name, name_key, description, is_active, experience)
      select 'Filling ' || n, 'filling ' || n, 'A team that stands for many', false, 'Beginner'
      from generate_series(1, ${filling}::int) n`
    client.close()
    await first.end('SIGTERM')

    const kept = await contentsOf(before)
    const began = performance.now()
    const seconds = await moveByDump(programs, from.url, to.url)
    const restored = await contentsOf(after)
    for (const [table, content] of kept)
      if (restored.get(table) !== content) violations.push(`${table}: ${restored.get(table)} instead of ${content}`)
    if (restored.size !== kept.size) violations.push(`${restored.size} tables instead of ${kept.size}`)

    const second = await serverOn(fixture, to.url)
    const servedAfter = (performance.now() - began) / 1000
    const again = new Client(second.port)
    const found = await again.call(`GET /teams/${team.id}`, { token: joiner.token })
    if (found.body?.data?.team?.members?.length !== 2) violations.push(`the team is answered ${found.status}`)
    const left = await again.call(`POST /teams/${team.id}/leave`, { token: joiner.token })
    if (left.status !== 200) violations.push(`leaving the team is answered ${left.status}`)
    again.close()
    await second.end('SIGTERM')
    violations.push(...(await brokenInvariantsOf(after)))
    if (servedAfter > RESTORED_WITHIN) violations.push(`served only after ${Math.round(servedAfter)} s`)
    return {
      'rows, in tables': `${rowsOf(kept)} in ${kept.size}`,
      dump: `${seconds.dump} s`,
      restore: `${seconds.restore} s`,
      'from the dump’s begin to a server on its copy': `${Math.round(servedAfter)} s`,
    }
  } finally {
    await Promise.all([before.end({ timeout: 1 }), after.end({ timeout: 1 })])
    await Promise.all([from.remove(), to.remove()])
  }
}

interface Write {
  name: string
  began: number
  ended: number
}

/** To a time, and to the last that was archived: a copy of the files, and the log since, of a cluster that is used and then lost. */
async function byLog(context: GuaranteeContext, programs: string, fixture: Fixture): Promise<Figures> {
  // Seconds: a piece of the log is archived so soon; so much may be lost; so long is written before the time that is gone back to.
  const [archived, lost, written] = byTier(context, { short: [2, 8, 8], full: [30, 60, 75], long: [30, 60, 75] })
  const { violations } = context
  const archive = await openArchive(programs)
  const cluster = await startSystemPostgres(programs, archive.settings(archived))
  const sql = postgres(cluster.url, { max: 4 })
  try {
    const server = await serverOn(fixture, cluster.url)
    const clients = [new Client(server.port)]
    const writes: Write[] = []
    const load = await startLoad(
      { clients, sql, people: peopleOn(sql) },
      {
        timeLimit: 10_000,
        violations,
        onAnswer({ status, body }, began) {
          if (status === 201) writes.push({ name: body.data.team.name, began, ended: performance.now() })
        },
      },
    )
    await archive.copy(cluster.url)
    await sleep(written * 1000)
    const [until, at] = [new Date(), performance.now()]
    const [piece] = await sql<{ name: string }[]>`select pg_walfile_name(pg_current_wal_lsn()) as name`
    for (const end = at + 120_000; ; await sleep(100)) {
      const [last] = await sql<{ name: string | null }[]>`select last_archived_wal as name from pg_stat_archiver`
      if (last?.name && piece && (last.name === piece.name || last.name.slice(0, 24) > piece.name)) break
      if (performance.now() > end) throw new Error('the log is not archived')
    }
    await load.end()
    const lostAt = performance.now()
    for (const client of clients) client.close()
    await server.end('SIGKILL')
    await sql.end({ timeout: 1 })
    await cluster.remove()

    const inTime = writes.filter(({ ended }) => ended < lostAt - lost * 1000)
    const [early, late] = [writes.filter(({ ended }) => ended < at), writes.filter(({ began }) => began > at)]
    if (inTime.length === 0 || late.length === 0) violations.push('nothing was written in time: nothing was tried')
    const expectIn = async (what: string, time: Date | undefined, wanted: Write[], unwanted: Write[]) => {
      const restored = await archive.restore(time)
      const after = postgres(restored.url, { max: 1 })
      try {
        const kept = new Set((await after`select name from teams`).map(({ name }) => String(name)))
        const [missing, surplus] = [
          wanted.filter(({ name }) => !kept.has(name)),
          unwanted.filter(({ name }) => kept.has(name)),
        ]
        if (missing.length > 0)
          violations.push(`${what}: ${missing.length} of ${wanted.length} acknowledged writes are lost`)
        if (surplus.length > 0) violations.push(`${what}: ${surplus.length} later writes are there`)
        violations.push(...(await brokenInvariantsOf(after)))
        const served = await serverOn(fixture, restored.url)
        await served.end('SIGTERM')
        return kept.size
      } finally {
        await after.end({ timeout: 1 })
        await restored.remove()
      }
    }
    const ofTime = await expectIn('at the time', until, early, late)
    const ofLog = await expectIn('at the log’s end', undefined, inTime, [])
    return {
      'acknowledged writes of a cluster that is lost': writes.length,
      'of them restored to a time': `${ofTime}, all ${early.length} before it and none of ${late.length} after it`,
      'of them restored to the log’s end': `${ofLog}, all ${inTime.length} older than ${lost} s`,
    }
  } finally {
    await sql.end({ timeout: 1 })
    await cluster.remove()
    await archive.remove()
  }
}

export const guarantee: Guarantee = {
  id: 'R21',
  statement:
    'A backup that is restored into an empty cluster is the same to the last row, and the product serves on it; with the log archived, also as it was at a time',
  from: 'long',
  async run(context) {
    const programs = await systemPrograms()
    if (!programs) throw new Error('PostgreSQL’s own programs are not installed: nothing was tried')
    const { version, folder } = programs
    const fixture = await context.open()
    return {
      PostgreSQL: version,
      ...(await byDump(context, folder, fixture)),
      ...(await byLog(context, folder, fixture)),
    }
  },
}
