import postgres from 'postgres'
import { Client } from '../harness/client.ts'
import { joinForm, makeTeam, must } from '../harness/community.ts'
import { peopleOn } from '../harness/people.ts'
import { freePort, startServer } from '../harness/server.ts'
import { brokenInvariantsOf, openStage } from '../harness/stage.ts'
import { moveByDump, startSystemPostgres, systemPrograms } from '../harness/system-postgres.ts'
import { byExtent, type Proof } from '../proof.ts'

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

export const proof: Proof = {
  id: 'R21',
  promise: 'A backup that is restored into an empty cluster is the same to the last row, and the product serves on it',
  from: 'long',
  async run(trial) {
    const filling = byExtent(trial, { short: 10_000, full: 100_000, long: 1_000_000 })
    const programs = await systemPrograms()
    if (!programs) return { figures: {}, violations: ['PostgreSQL’s own pg_dump is not installed: nothing was tried'] }
    const violations: string[] = []
    const stage = await openStage()
    const [from, to] = [await startSystemPostgres(programs.folder), await startSystemPostgres(programs.folder)]
    const [before, after] = [postgres(from.url, { max: 1 }), postgres(to.url, { max: 1 })]
    try {
      const served = async (url: string) =>
        startServer({ ...stage.settings, DATABASE_URL: url, PORT: String(await freePort()) })
      const first = await served(from.url)
      const client = new Client(first.port)
      const people = peopleOn(before)
      const [chef, joiner] = await people.members(2)
      if (!chef || !joiner) throw new Error('two were made')
      const team = await makeTeam(client, chef)
      await must(client.call(`POST /teams/${team.id}/join`, { token: joiner.token, body: joinForm(team) }))
      await before`insert into teams (name, name_key, description, is_active, experience)
        select 'Filling ' || n, 'filling ' || n, 'A team that stands for many', false, 'Beginner'
        from generate_series(1, ${filling}::int) n`
      client.close()
      await first.end('SIGTERM')

      const kept = await contentsOf(before)
      const began = performance.now()
      const seconds = await moveByDump(programs.folder, from.url, to.url)
      const restored = await contentsOf(after)
      for (const [table, content] of kept)
        if (restored.get(table) !== content) violations.push(`${table}: ${restored.get(table)} instead of ${content}`)
      if (restored.size !== kept.size) violations.push(`${restored.size} tables instead of ${kept.size}`)

      const second = await served(to.url)
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
        figures: {
          PostgreSQL: programs.version,
          'rows, in tables': `${rowsOf(kept)} in ${kept.size}`,
          dump: `${seconds.dump} s`,
          restore: `${seconds.restore} s`,
          'from the dump’s begin to a server on its copy': `${Math.round(servedAfter)} s`,
        },
        violations,
      }
    } finally {
      await Promise.all([before.end({ timeout: 1 }), after.end({ timeout: 1 })])
      await Promise.all([from.remove(), to.remove(), stage.close()])
    }
  },
}
