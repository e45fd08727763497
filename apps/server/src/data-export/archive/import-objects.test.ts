import { rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { inTransaction } from '@community/db'
import { expect, it } from 'vitest'
import { openArchiveFixture, writeArchive } from '../../../test/archive-fixture.ts'
import { queueRemoval } from '../../uploads/remove-objects.ts'
import { sweepOrphans } from '../../uploads/sweep-orphans.ts'
import { importArchive } from './import-archive.ts'

const { archive, target } = openArchiveFixture()

it('keeps its files when a sweep runs before its rows are committed', async () => {
  const { log, secret } = archive.source.deps
  await importArchive(archive.file, target.deps, {
    beforeCommit: async () => void (await sweepOrphans({ ...target.deps, log, secret })),
  })
  expect(await writeArchive(path.join(archive.folder, 'swept.zip'), target.deps)).toEqual(archive.exported)
})

it('imports nothing if a file was deleted meanwhile', async () => {
  const { storage } = target.deps
  let last = ''
  const onProgress = (what: string) => {
    if (what !== 'users') return
    rmSync(path.join(target.folder, 'files', last))
  }
  const put: typeof storage.put = (key, body, meta) => storage.put((last = key), body, meta)
  const deps = { ...target.deps, storage: { ...storage, put } }
  await expect(importArchive(archive.file, deps, { onProgress })).rejects.toThrow('The storage is unavailable')
  expect(await target.countUsers()).toBe(0)
})

it('stores a file again that an interrupted import stored more than a day before', async () => {
  const { storage } = target.deps
  const key = Object.keys(archive.exported)
    .find((name) => name.startsWith('objects/'))
    ?.slice('objects/'.length) as string
  const object = await archive.source.deps.storage.open(key)
  await storage.put(key, object!.body, object!)
  const stored = path.join(target.folder, 'files', key)
  const old = new Date(Date.now() - 25 * 3600 * 1000)
  await utimes(stored, old, old)
  await importArchive(archive.file, target.deps)
  expect((await storage.head(key))?.modifiedAt.getTime()).toBeGreaterThan(old.getTime())
})

it('continues after an interruption with the files that are not stored', async () => {
  const { storage } = target.deps
  const stored: string[] = []
  const put: typeof storage.put = async (key, body, meta) => {
    if (stored.length === 1) throw new Error('EIO')
    await storage.put(key, body, meta)
    stored.push(key)
  }
  await expect(importArchive(archive.file, { ...target.deps, storage: { ...storage, put } })).rejects.toThrow('EIO')
  expect(await target.countUsers()).toBe(0)
  const again: string[] = []
  await importArchive(archive.file, {
    ...target.deps,
    storage: { ...storage, put: (key, body, meta) => (again.push(key), storage.put(key, body, meta)) },
  })
  expect(again.length).toBe(1)
  expect(again).not.toEqual(stored)
  expect(await writeArchive(path.join(archive.folder, 'continued.zip'), target.deps)).toEqual(archive.exported)
})

it('waits until deleted files have been removed, which may be those of the archive', async () => {
  const { connection, deps } = target
  await inTransaction(connection.db, (tx) => queueRemoval(tx, archive.source.deps, ['20260101-a']))
  await expect(importArchive(archive.file, deps)).rejects.toThrow('Deleted files are still being removed')
  await connection.sql`delete from jobs`
  await importArchive(archive.file, deps)
  expect(await target.countUsers()).toBeGreaterThan(0)
})
