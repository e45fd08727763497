import type { ChildProcess } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expectInvariants } from '@community/testing/database/invariants'
import { buildServer, launch } from '@community/testing/server'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmptyProduct, entriesOf, openEmptyProduct, openFilledServer, writeArchive } from './archive-fixture.ts'
import type { TestServer } from './test-server.ts'

const children: ChildProcess[] = []
let source: TestServer
let target: EmptyProduct
let file: string
let exported: Record<string, string>
beforeAll(async () => {
  buildServer()
  source = await openFilledServer()
  target = await openEmptyProduct(source.deps.config)
  file = path.join(target.folder, 'archive.zip')
  exported = await writeArchive(file, source.deps)
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([source.close(), target.close()])
})

const run = (...args: string[]) => runWith({}, ...args)
async function runWith(changes: Record<string, string>, ...args: string[]) {
  const settings = {
    DATABASE_URL: target.database.url,
    DATA_DIR: target.folder,
    APP_URL: source.deps.config.appUrl,
    LOG_LEVEL: 'warn',
    ...changes,
  }
  const launched = await launch(settings, { args })
  children.push(launched.child)
  return launched
}

it('explains what is wrong with the file', async () => {
  for (const [args, message] of [
    [['import'], 'Name the archive: main.js import archive.zip\n'],
    [['export'], 'Name the archive: main.js export archive.zip\n'],
    [['export', file], `${file} exists: name a new file\n`],
  ] as const) {
    const { output, exited } = await run(...args)
    expect([(await exited).code, output.err]).toEqual([1, message])
  }
  const { output, exited } = await run('import', path.join(target.folder, 'none.zip'))
  expect([(await exited).code, output.err]).toEqual([
    1,
    expect.stringMatching(/^\S+none\.zip is not a complete archive: ENOENT/),
  ])
})

it('says without a stack that a service is away', async () => {
  const storage = {
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
  }
  for (const [changes, command, message] of [
    [storage, 'import', /^The storage is unavailable \(.*ECONNREFUSED.*\)\. Run the command again afterwards\.\n$/m],
    [
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none' },
      'export',
      /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:1 .*Run the command again afterwards\.\n$/,
    ],
  ] as const) {
    const away = command === 'import' ? file : path.join(target.folder, 'away.zip')
    const { output, exited } = await runWith(changes, command, away)
    expect([(await exited).code, output.err]).toEqual([1, expect.stringMatching(message)])
    expect(output.out).not.toContain('u:p')
  }
})

it('imports after it was killed in the middle, and exports the same', async () => {
  const other = postgres(target.database.url, { max: 1, onnotice: () => {} })
  // Blocks the insert into one of the last tables.
  const lock = await other.reserve()
  await lock`begin`
  await lock`lock table audit_log in share mode`
  const first = await run('import', file)
  const isWaiting = async () =>
    (await target.connection.sql`select 1 from pg_locks where relation = 'audit_log'::regclass and not granted`).length
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1)
  expect((await readdir(path.join(target.folder, 'files'))).length).toBeGreaterThan(0)
  first.child.kill('SIGKILL')
  await first.exited
  await lock`rollback`
  lock.release()
  await other.end()
  expect(await target.countUsers()).toBe(0)

  const second = await run('import', file)
  expect([(await second.exited).code, second.output.err]).toEqual([0, ''])
  expect(second.output.out).toMatch(/^Database: \w+ at 127\.0\.0\.1:\d+\n/)
  expect(second.output.out).toMatch(/Imported \d+ rows and 2 files/)
  await expectInvariants(target.connection.db)

  const again = path.join(target.folder, 'again.zip')
  const third = await run('export', again)
  expect([(await third.exited).code, third.output.err]).toEqual([0, ''])
  expect(await entriesOf(again)).toEqual(exported)
  expect((await readdir(target.folder)).filter((name) => name.endsWith('.part'))).toEqual([])

  const fourth = await run('import', file)
  expect([(await fourth.exited).code, fourth.output.err]).toEqual([
    1,
    'The database is not empty (users has rows): import into a new one\n',
  ])
})
