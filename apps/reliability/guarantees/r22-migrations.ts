import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { startLoad } from '../harness/load.ts'
import { freePort, type Settings, startServerWith } from '@community/testing/server'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url))
/** Milliseconds that somebody reads a table for a report, while a migration wants to change it. */
const REPORT = 2500

/** The migrations of a next version: ours, and one more. */
async function nextVersion(folder: string, statements: string): Promise<void> {
  await cp(MIGRATIONS, folder, { recursive: true })
  const file = path.join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
  const last = journal.entries.at(-1)
  if (!last) throw new Error('there is no migration')
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_next_version' })
  await writeFile(file, JSON.stringify(journal))
  await writeFile(path.join(folder, '9999_next_version.sql'), statements)
}

/** Starts a server of a next version beside the one that serves; answers how it fared. */
async function startNext(settings: Settings): Promise<'ready' | 'ended'> {
  try {
    const server = await startServerWith({ ...settings, PORT: String(await freePort()) })
    await server.end('SIGKILL')
    return 'ready'
  } catch {
    return 'ended'
  }
}

const hasColumn = async ({ sql }: Fixture): Promise<boolean> =>
  (await sql`select 1 from information_schema.columns where table_name = 'teams' and column_name = 'next_version'`)
    .length > 0

const GOOD = `alter table teams add column next_version text;
--> statement-breakpoint
create index teams_next_version on teams (next_version)`

/** A migration that breaks in its middle, and the same one mended, under load and beside a long report. */
async function migrateUnderLoad(fixture: Fixture, folder: string, violations: string[]) {
  const settings = { ...fixture.settings, MIGRATIONS_DIR: folder }
  const load = await startLoad(fixture, { timeLimit: 8000, violations })
  await nextVersion(folder, `${GOOD};\n--> statement-breakpoint\nselect 1 / 0`)
  if ((await startNext(settings)) !== 'ended') violations.push('a server with a broken migration serves')
  if (await hasColumn(fixture)) violations.push('a broken migration left its first half')

  await nextVersion(folder, GOOD)
  let isOver = false
  const report = fixture.sql.begin(async (tx) => {
    await tx`select count(*) from teams`
    for (const end = performance.now() + REPORT; performance.now() < end && !isOver; ) await sleep(20)
  })
  const fared = await startNext(settings)
  isOver = true
  await report
  if (fared !== 'ready' || !(await hasColumn(fixture))) violations.push('the mended migration does not run')
  await sleep(500)
  await load.end()
  if (load.refusals > 0) violations.push(`${load.refusals} calls were refused while the database was migrated`)
  return load
}

/** Two servers on an empty database: both serve, and each migration ran once. */
async function startTogether(fixture: Fixture, round: number, violations: string[]): Promise<void> {
  const name = `together_${round}`
  await fixture.sql`create database ${fixture.sql(name)}`
  const url = new URL(fixture.settings.DATABASE_URL ?? '')
  url.pathname = `/${name}`
  const servers = await Promise.allSettled(
    [1, 2].map(async () =>
      startServerWith({ ...fixture.settings, DATABASE_URL: url.href, PORT: String(await freePort()) }),
    ),
  )
  for (const outcome of servers)
    if (outcome.status === 'fulfilled') await outcome.value.end('SIGKILL')
    else violations.push(`round ${round}: ${String(outcome.reason)}`)
  const sql = postgres(url.href, { max: 1 })
  const ran = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`
  await sql.end()
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'))
  if (ran.length !== files.length || new Set(ran.map(({ hash }) => hash)).size !== files.length)
    violations.push(`round ${round}: ${ran.length} migrations ran, ${files.length} there are`)
}

export const guarantee: Guarantee = {
  id: 'R22',
  statement:
    'A database is migrated under load without a refusal, whole or not at all, and once by servers that start together',
  async run(context) {
    const { violations } = context
    const [rounds, teams] = byTier(context, { short: [1, 2000], full: [10, 100_000], long: [100, 1_000_000] } as const)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'community-migrations-'))
    context.after(() => rm(folder, { recursive: true, force: true }))
    const fixture = await context.open()
    await fixture.sql`insert into teams (name, name_key, description, is_active, experience)
      select 'Filling ' || n, 'filling ' || n, 'A team that stands for many', false, 'Beginner'
      from generate_series(1, ${teams}::int) n`
    const load = await migrateUnderLoad(fixture, folder, violations)
    for (let round = 0; round < rounds; round++) await startTogether(fixture, round, violations)
    return {
      'teams in the table': teams,
      'calls served meanwhile': load.successes,
      'slowest of them': `${Math.round(load.slowest)} ms`,
      refused: load.refusals,
      'pairs of servers started together': rounds,
    }
  },
}
