import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expectInvariants } from '@community/testing/database/invariants'
import { describe, expect, it } from 'vitest'
import { openArchiveFixture, writeArchive } from '../../../test/archive-fixture.ts'
import { StorageUnavailable } from '../../integrations/storage.ts'
import { zipStream } from '../zip-stream.ts'
import { importArchive } from './import-archive.ts'
import { ARCHIVED_TABLES } from './archived-tables.ts'
import { openArchive } from './read-archive.ts'

const { archive, target } = openArchiveFixture()

describe('the archive of the product', () => {
  it('has rows of every table, and the files', () => {
    const manifest = JSON.parse(archive.exported['manifest.json'] ?? '') as {
      tables: Record<string, number>
      objects: number
    }
    for (const { name } of ARCHIVED_TABLES) {
      const rows = archive.exported[`tables/${name}.jsonl`]?.split('\n').length ?? 0
      expect([name, rows - 1]).toEqual([name, manifest.tables[name]])
      expect([name, rows > 1]).toEqual([name, true])
    }
    expect(manifest).toMatchObject({ objects: 2, missingFiles: [] })
    expect(Object.keys(archive.exported).filter((name) => name.startsWith('objects/')).length).toBe(2)
  })

  it('has no password hash and no token', async () => {
    const text = Object.values(archive.exported).join('\n')
    const secrets = await archive.source.sql<{ secret: string }[]>`
      select password_hash as secret from users union select hash from refresh_tokens union select id from sessions`
    expect(secrets.length).toBeGreaterThan(7)
    for (const { secret } of secrets) expect(text).not.toContain(secret)
  })

  it('is the same after an import, which keeps the invariants', async () => {
    const [own] = await target.connection
      .sql`update settings set community_id = gen_random_uuid() returning community_id as id`
    await importArchive(archive.file, target.deps)
    await expectInvariants(target.connection.db)
    expect(await writeArchive(path.join(archive.folder, 'again.zip'), target.deps)).toEqual(archive.exported)
    const { sql } = target.connection
    const [ids] = await sql`select nextval('audit_log_id_seq') > max(id) as free from audit_log`
    expect(ids).toEqual({ free: true })
    expect(await sql`select 1 from users where password_hash is not null`).toEqual([])
    expect(await sql`select community_id as id from settings`).toEqual([own])
  })

  it('publishes and sends nothing again', async () => {
    await importArchive(archive.file, target.deps)
    const { sql } = target.connection
    expect(await sql`select title from announcements`).toEqual([{ title: 'Sent' }])
    const channels = await sql`select distinct mail, push, digest_id as "digestId" from notifications`
    expect(channels).toEqual([{ mail: 'off', push: false, digestId: null }])
    const inbox = archive.source.sql`select id from notifications where is_in_app order by sequence`
    expect(await sql`select id from notifications order by sequence`).toEqual(await inbox)
    const [next] = await sql`select nextval('notifications_sequence_seq') > max(sequence) as free from notifications`
    expect(next).toEqual({ free: true })
  })

  it('moves the URLs of files to another address', async () => {
    const config = { ...archive.source.deps.config, appUrl: 'https://new.example' }
    await importArchive(archive.file, { ...target.deps, config })
    const urls = await target.connection.sql<{ url: string }[]>`
      select avatar_url as url from users where avatar_url is not null union all select content from submissions`
    expect(urls.length).toBe(2)
    for (const { url } of urls) expect(url).toMatch(/^https:\/\/new\.example\/files\/\d{8}-/)
    await expectInvariants(target.connection.db)
  })

  it('has the files that the storage gives at a second attempt', async () => {
    let failures = 1
    const storage = {
      ...archive.source.deps.storage,
      open: (key: string) =>
        failures-- > 0 ? Promise.reject(new StorageUnavailable('stalled')) : archive.source.deps.storage.open(key),
    }
    expect(await writeArchive(path.join(archive.folder, 'stalled.zip'), { ...archive.source.deps, storage })).toEqual(
      archive.exported,
    )
  })

  it('names the files that the storage has lost', async () => {
    const [row] = await archive.source.sql`select key from uploads where mime_type = 'application/pdf'`
    const storage = {
      ...archive.source.deps.storage,
      open: (key: string) => (key === row?.key ? Promise.resolve(null) : archive.source.deps.storage.open(key)),
    }
    const entries = await writeArchive(path.join(archive.folder, 'lost.zip'), { ...archive.source.deps, storage })
    expect(JSON.parse(entries['manifest.json'] ?? '')).toMatchObject({ objects: 1, missingFiles: [row?.key] })
    await importArchive(path.join(archive.folder, 'lost.zip'), target.deps)
  })
})

describe('an import', () => {
  it('rejects a database that is not empty', async () => {
    await importArchive(archive.file, target.deps)
    await expect(importArchive(archive.file, target.deps)).rejects.toThrow('The database is not empty (users has rows)')
  })

  it('rejects the schema of another version', async () => {
    await target.connection.sql`update drizzle.__drizzle_migrations set hash = 'other'`
    await expect(importArchive(archive.file, target.deps)).rejects.toThrow(
      'The archive has the schema of another version',
    )
    expect(await target.countUsers()).toBe(0)
  })

  it.each([
    ['ends early', (bytes: Buffer) => bytes.subarray(0, bytes.length - 400), /is not a complete archive/],
    ['has a changed byte in a file', (bytes: Buffer) => flipByte(bytes, '%PDF-'), /is damaged at objects\//],
    ['is no ZIP file', () => Buffer.from('hello'), /is not a complete archive/],
  ])('rejects an archive that %s, and leaves the database empty', async (_what, change, message) => {
    const damaged = path.join(archive.folder, 'damaged.zip')
    await writeFile(damaged, change(await readFile(archive.file)))
    await expect(importArchive(damaged, target.deps)).rejects.toThrow(message)
    expect(await target.countUsers()).toBe(0)
  })

  it.each([
    ['is not JSON', '{"format":', 'is not JSON'],
    ['is too long', `"${'a'.repeat(17 * 1024 * 1024)}"`, 'is too long'],
  ])('rejects an archive whose manifest %s', async (_what, manifest, message) => {
    const file = path.join(archive.folder, 'manifest.zip')
    await pipeline(
      zipStream((add) => add(Readable.from([manifest]), 'manifest.json')),
      createWriteStream(file),
    )
    const error: unknown = await openArchive(file).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ArchiveError', fault: 'not-an-archive' })
    expect(String(error)).toContain(message)
  })

  it('rejects an archive whose manifest cannot be unpacked', async () => {
    const file = path.join(archive.folder, 'not-deflated.zip')
    await pipeline(
      zipStream((add) => add(Readable.from(['{}'.repeat(1000)]), 'manifest.json')),
      createWriteStream(file),
    )
    const bytes = await readFile(file)
    // The first byte of the deflated data, after the local header: 3 is no type of block.
    bytes[30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)] = 0xff
    await writeFile(file, bytes)
    await expect(openArchive(file)).rejects.toMatchObject({ name: 'ArchiveError', fault: 'damaged' })
  })

  it('of a damaged file fails also for a reader that starts after the error', async () => {
    const damaged = path.join(archive.folder, 'read-later.zip')
    await writeFile(damaged, flipByte(await readFile(archive.file), '%PDF-'))
    const opened = await openArchive(damaged)
    const errors: unknown[] = []
    for await (const { open } of opened.objects()) {
      const body = await open()
      const closed = new Promise((resolve) => body.once('close', resolve))
      body.resume()
      await closed
      await buffer(body).catch((error: unknown) => errors.push(error))
    }
    opened.close()
    expect(errors).toContainEqual(expect.objectContaining({ fault: 'damaged' }))
  })

  it('merges its counts before the commit, however long that takes', async () => {
    const { sql } = target.connection
    await sql.unsafe(`
      create function take_long() returns trigger language plpgsql as $$ begin perform pg_sleep(3.1); return null; end $$;
      create trigger slow after delete on counts execute function take_long()`)
    await importArchive(archive.file, target.deps)
    expect(await sql`select name from counts group by name, key having count(*) > 1`).toEqual([])
  })

  it('rolls back rows that violate a constraint, and names their lines', async () => {
    await target.connection.sql`alter table submissions add constraint refused check (score < 50)`
    await expect(importArchive(archive.file, target.deps)).rejects.toThrow(
      /^tables\/submissions\.jsonl, lines 1 to 1: .*refused/,
    )
    expect(await target.countUsers()).toBe(0)
  })
})

/** The bytes with one changed behind `marker`. */
function flipByte(bytes: Buffer, marker: string): Buffer {
  const changed = Buffer.from(bytes)
  const at = changed.indexOf(marker) + marker.length + 40
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}
