import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { ADVISORY_LOCKS } from '../src/advisory-locks.ts'
import { MIGRATIONS_DIR, migrate } from '../src/index.ts'
import { databaseUrlOf } from '@community/testing/database'

const server = inject('postgresServer').url
const admin = postgres(server, { max: 1, onnotice: () => {} })
afterAll(() => admin.end())

async function onEmptyDatabase<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  await admin`create database ${admin(name)}`
  try {
    return await work(databaseUrlOf(server, name))
  } finally {
    await admin`drop database ${admin(name)} with (force)`
  }
}

const countApplied = async (url: string): Promise<number> => {
  const sql = postgres(url, { max: 1 })
  try {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from drizzle.__drizzle_migrations`
    return row?.n ?? 0
  } finally {
    await sql.end()
  }
}

describe('migrations', () => {
  it('are named after what they change', () => {
    const files = readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(file).toMatch(/^\d{4}_[a-z]+(?:_[a-z]+)*\.sql$/)
  })

  it('run once when eight servers start at once', async () => {
    const count = readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql')).length
    for (let round = 0; round < 5; round++)
      await onEmptyDatabase(`migrate_${round}`, async (url) => {
        const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => migrate(url)))
        expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
        expect(await countApplied(url)).toBe(count)
      })
  })

  it(
    'let other queries pass while they wait for a table lock, and finish once it is free',
    () =>
      onEmptyDatabase('migrate_patient', async (url) => {
        await migrate(url)
        const folder = await mkdtemp(path.join(os.tmpdir(), 'community-migrations-'))
        const sql = postgres(url, { max: 3, onnotice: () => {} })
        try {
          await cp(MIGRATIONS_DIR, folder, { recursive: true })
          const file = path.join(folder, 'meta', '_journal.json')
          const journal = JSON.parse(await readFile(file, 'utf8')) as {
            entries: { idx: number; when: number; tag: string }[]
          }
          const last = journal.entries.at(-1)
          journal.entries.push({ ...last, idx: 9999, when: (last?.when ?? 0) + 1, tag: '9999_patient' })
          await writeFile(file, JSON.stringify(journal))
          await writeFile(path.join(folder, '9999_patient.sql'), 'alter table teams add column patient text')

          let release = () => {}
          const released = new Promise<void>((resolve) => (release = resolve))
          let report: Promise<unknown> = Promise.resolve()
          await new Promise<void>((hasBegun) => {
            report = sql.begin(async (tx) => {
              await tx`select 1 from teams`
              hasBegun()
              await released
            })
          })
          const migrating = migrate(url, folder)
          const isWaiting = async () =>
            (await sql`select 1 from pg_locks where relation = 'teams'::regclass and not granted`).length > 0
          await expect.poll(isWaiting, { timeout: 10_000, interval: 10 }).toBe(true)
          // Later queries wait for the migration rather than for the long report.
          await expect(sql`select 1 from teams`).resolves.toHaveLength(0)
          release()
          await report
          await migrating
          expect(await sql`select patient from teams`).toHaveLength(0)
        } finally {
          await sql.end()
          await rm(folder, { recursive: true, force: true })
        }
      }),
    30_000,
  )

  it('wait for another process that migrates, although the sessions of the database have a lock timeout', () =>
    onEmptyDatabase('migrate_waiting', async (url) => {
      await admin`alter database migrate_waiting set lock_timeout = 100`
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      try {
        const [space, key] = ADVISORY_LOCKS.migrations
        await sql`select pg_advisory_lock(${space}, ${key})`
        const migrating = migrate(url)
        migrating.catch(() => {})
        const hasWaited = async () =>
          (
            await admin`select 1 from pg_stat_activity where datname = 'migrate_waiting' and wait_event_type = 'Lock'
              and clock_timestamp() - query_start > interval '300 ms'`
          ).length > 0
        await expect.poll(hasWaited, { timeout: 10_000 }).toBe(true)
        await sql`select pg_advisory_unlock(${space}, ${key})`
        await migrating
        expect(await countApplied(url)).toBeGreaterThan(0)
      } finally {
        await sql.end()
      }
    }))

  it('give each existing audit entry a unique id', () =>
    onEmptyDatabase('migrate_audit_ids', async (url) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'community-migrations-'))
      const sql = postgres(url, { max: 1 })
      try {
        await cp(MIGRATIONS_DIR, folder, { recursive: true })
        const file = path.join(folder, 'meta', '_journal.json')
        const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] }
        const before = journal.entries.findIndex(({ tag }) => tag.endsWith('audit_entries_have_uuids'))
        await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, before) }))
        await migrate(url, folder)
        await sql`insert into audit_log (actor_name, action) select 'Boss', 'admin.test' from generate_series(1, 3)`
        await migrate(url)
        // As inserted by the previous version, which does not know the column.
        await sql`insert into audit_log (actor_name, action) values ('Boss', 'admin.test')`
        expect(await sql`select count(distinct uuid)::int as ids from audit_log`).toEqual([{ ids: 4 }])
        await expect(sql`update audit_log set uuid = gen_random_uuid()`).rejects.toThrow('append-only')
      } finally {
        await sql.end()
        await rm(folder, { recursive: true, force: true })
      }
    }))

  it('that are applied are not read again', () =>
    onEmptyDatabase('migrate_again', async (url) => {
      await migrate(url)
      const folder = await mkdtemp(path.join(os.tmpdir(), 'community-migrations-'))
      try {
        await cp(path.join(MIGRATIONS_DIR, 'meta', '_journal.json'), path.join(folder, 'meta', '_journal.json'))
        await migrate(url, folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }))

  it('build missing or unfinished search indexes', () =>
    onEmptyDatabase('migrate_indexes', async (url) => {
      await migrate(url)
      const sql = postgres(url, { max: 1 })
      const findValidIndexes = async () => {
        const rows = await sql<{ name: string }[]>`
          select indexrelid::regclass::text as name from pg_index
          where indisvalid and indexrelid::regclass::text like '%_word_starts' order by 1`
        return rows.map(({ name }) => name)
      }
      try {
        const all = ['challenges_word_starts', 'teams_word_starts', 'users_word_starts']
        expect(await findValidIndexes()).toEqual(all)
        await sql`drop index teams_word_starts`
        await sql`update pg_index set indisvalid = false where indexrelid = 'users_word_starts'::regclass`
        expect(await findValidIndexes()).toEqual(['challenges_word_starts'])
        await migrate(url)
        expect(await findValidIndexes()).toEqual(all)
      } finally {
        await sql.end()
      }
    }))

  it('keep the audit log append-only', () =>
    onEmptyDatabase('migrate_audit', async (url) => {
      await migrate(url)
      const sql = postgres(url, { max: 1 })
      try {
        await sql`insert into audit_log (actor_name, action) values ('Boss', 'admin.test')`
        await expect(sql`update audit_log set action = 'admin.other'`).rejects.toThrow('append-only')
        await expect(sql`delete from audit_log`).rejects.toThrow('append-only')
        await expect(sql`truncate audit_log`).rejects.toThrow('append-only')
      } finally {
        await sql.end()
      }
    }))
})
