import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { type Fixture, insertTeams } from '../harness/fixture.ts'
import { startLoad } from '../harness/load.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url))
/** Milliseconds that a reporting query locks a table while a migration waits for it. */
const REPORT = 2500

/** The migrations of a future version: ours, and one more. */
async function writeNextVersion(folder: string, statements: string): Promise<void> {
  await cp(MIGRATIONS, folder, { recursive: true })
  const file = path.join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
  const last = journal.entries.at(-1)
  if (!last) throw new Error('there is no migration')
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_next_version' })
  await writeFile(file, JSON.stringify(journal))
  await writeFile(path.join(folder, '9999_next_version.sql'), statements)
}

const hasColumn = async ({ sql }: Fixture): Promise<boolean> =>
  (await sql`select 1 from information_schema.columns where table_name = 'teams' and column_name = 'next_version'`)
    .length > 0

const GOOD = `alter table teams add column next_version text;
--> statement-breakpoint
create index teams_next_version on teams (next_version)`

/** A migration that fails halfway, and its corrected version, under load and beside a long reporting query. */
async function migrateUnderLoad(context: GuaranteeContext, fixture: Fixture, folder: string) {
  const { expect } = context
  const isReady = async () => {
    const [start] = await Promise.allSettled([fixture.startServer({ MIGRATIONS_DIR: folder })])
    return start.status === 'fulfilled'
  }
  const load = await startLoad(fixture, context, { respondsWithin: 8000 })
  await writeNextVersion(folder, `${GOOD};\n--> statement-breakpoint\nselect 1 / 0`)
  expect(!(await isReady()), 'a server with a broken migration serves')
  expect(!(await hasColumn(fixture)), 'a broken migration left its first half')

  await writeNextVersion(folder, GOOD)
  const report = fixture.sql.begin(async (tx) => {
    await tx`select count(*) from teams`
    await sleep(REPORT)
  })
  const isMigrated = (await isReady()) && (await hasColumn(fixture))
  await report
  expect(isMigrated, 'the mended migration does not run')
  await load.untilMore(50)
  await load.end()
  expect(load.refusals === 0, `${load.refusals} calls were refused while the database was migrated`)
  return load
}

/** Two servers on an empty database: both serve, and each migration ran once. */
async function startTogether({ expect }: GuaranteeContext, fixture: Fixture, round: number): Promise<void> {
  const url = new URL(fixture.settings.DATABASE_URL ?? '')
  url.pathname = `/together_${round}`
  await fixture.sql`create database ${fixture.sql(url.pathname.slice(1))}`
  const starts = [1, 2].map(() => fixture.startServer({ DATABASE_URL: url.href }))
  for (const outcome of await Promise.allSettled(starts))
    if (outcome.status === 'fulfilled') await outcome.value.end('SIGKILL')
    else expect(false, `round ${round}: ${String(outcome.reason)}`)
  const sql = postgres(url.href, { max: 1 })
  const ran = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`
  await sql.end()
  const { length } = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'))
  const isOnce = ran.length === length && new Set(ran.map(({ hash }) => hash)).size === length
  expect(isOnce, `round ${round}: ${ran.length} migrations ran, ${length} there are`)
}

export const guarantee: Guarantee = {
  id: 'R22',
  statement:
    'A database is migrated under load without a rejected request, completely or not at all, and once by servers that start together',
  async run(context) {
    const { byTier, onFinished, openFixture } = context
    const { rounds, teams } = byTier({
      short: { rounds: 1, teams: 2000 },
      full: { rounds: 10, teams: 100_000 },
      long: { rounds: 100, teams: 1_000_000 },
    })
    const folder = await mkdtemp(path.join(os.tmpdir(), 'community-migrations-'))
    onFinished(() => rm(folder, { recursive: true, force: true }))
    const fixture = await openFixture()
    await insertTeams(fixture.sql, teams)
    const load = await migrateUnderLoad(context, fixture, folder)
    for (let round = 0; round < rounds; round++) await startTogether(context, fixture, round)
    return { teams, ...load.figures(), 'pairs of servers started together': rounds }
  },
}
