import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@community/contract'
import { afterAll, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openWorkFixture } from '../../test/work-fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createFileStorage } from '../integrations/storage-files.ts'
import { createKey } from './file-url.ts'
import { sweepOrphans } from './sweep-orphans.ts'

const folder = temporaryFolder()
/** So late that objects which the tests store are no longer spared. */
const SWEEP_TIME = new Date(Date.now() + 10 * limits.DAY * 1000)
const daysBeforeSweep = (days: number) => new Date(SWEEP_TIME.getTime() - days * limits.DAY * 1000)

const fixture = await openWorkFixture()
afterAll(() => fixture.close())

const age = (id: string, hours: number) => fixture.clock.setAge('uploads', 'created_at', hours * 3600, { id })
const isStored = async (key: string) => (await fixture.storage.head(key)) !== null
const hasRow = async (id: string) => (await fixture.sql`select 1 from uploads where id = ${id}`).length === 1

it('deletes rows and objects unused for a day and keeps newer or used ones', async () => {
  const team = await fixture.createTeam()
  const [old, young, used] = [
    await fixture.createUpload(team.chef),
    await fixture.createUpload(team.chef),
    await fixture.createUpload(team.chef),
  ]
  await fixture.applyWithLink(team, (await fixture.createChallenge()).id, { type: 'upload', content: used.secureUrl })
  await age(old.id, 25)
  await age(young.id, 23)
  await age(used.id, 1000)
  expect(await sweepOrphans(fixture.deps)).toEqual({ files: 1, untracked: 0 })
  expect([await hasRow(old.id), await isStored(old.key)]).toEqual([false, false])
  expect([await hasRow(young.id), await isStored(young.key)]).toEqual([true, true])
  expect([await hasRow(used.id), await isStored(used.key)]).toEqual([true, true])
  await expectInvariants(fixture.db)
})

it('deletes more than one batch', async () => {
  const user = await fixture.createMember()
  await fixture.sql`
    insert into uploads (key, user_id, original_name, size, mime_type, created_at)
    select '20200101-' || lpad(n::text, 32, '0'), ${user.id}, 'a.png', 1, 'image/png', now() - interval '2 days'
    from generate_series(1, 450) n`
  expect((await sweepOrphans(fixture.deps)).files).toBe(450)
})

it('deletes untracked objects whose key is two to eight days old', async () => {
  const put = async (key: string) => {
    await fixture.storage.put(key, Buffer.from('x'), { contentType: 'image/png', size: 1 })
    return key
  }
  const [today, yesterday, before, lastWeek] = [
    await put(createKey(daysBeforeSweep(0))),
    await put(createKey(daysBeforeSweep(1))),
    await put(createKey(daysBeforeSweep(2))),
    await put(createKey(daysBeforeSweep(8))),
  ]
  const used = await fixture.createUpload(await fixture.createMember())
  const trackedKey = createKey(daysBeforeSweep(2))
  await put(trackedKey)
  await fixture.sql`update uploads set key = ${trackedKey}, attached_at = now() where id = ${used.id}`
  expect(await sweepOrphans(fixture.deps, SWEEP_TIME)).toEqual({ files: 0, untracked: 2 })
  expect([await isStored(before), await isStored(lastWeek)]).toEqual([false, false])
  expect([await isStored(today), await isStored(yesterday), await isStored(trackedKey)]).toEqual([true, true, true])
})

it('keeps untracked objects that were stored within two days, such as those of a running import', async () => {
  const key = createKey(new Date(Date.now() - 5 * limits.DAY * 1000))
  await fixture.storage.put(key, Buffer.from('x'), { contentType: 'image/png', size: 1 })
  await sweepOrphans(fixture.deps)
  expect(await isStored(key)).toBe(true)
  await sweepOrphans(fixture.deps, new Date(Date.now() + 2 * limits.DAY * 1000 + 1000))
  expect(await isStored(key)).toBe(false)
})

it('deletes drafts of killed uploads after a day', async () => {
  const names = [`.${randomUUID()}`, `thumbnails/.${randomUUID()}`, `.${randomUUID()}`, '.keep', 'object']
  const [draft = '', nested = '', young = '', ...others] = names.map((name) => path.join(folder, name))
  await mkdir(path.join(folder, 'thumbnails'))
  for (const file of [draft, nested, young, ...others]) await writeFile(file, 'x')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  for (const file of [draft, nested, ...others]) await utimes(file, yesterday, yesterday)
  await sweepOrphans({ ...fixture.deps, storage: createFileStorage(folder) })
  const left = await readdir(folder, { recursive: true })
  expect(left.toSorted()).toEqual(['.keep', 'community', 'object', path.basename(young), 'thumbnails'].toSorted())
})

it('deletes no untracked object of a storage that belongs to another database', async () => {
  const stray = createKey(daysBeforeSweep(2))
  await fixture.storage.put(stray, Buffer.from('x'), { contentType: 'image/png', size: 1 })
  const [before] = await fixture.sql`select community_id from settings`
  await fixture.sql`update settings set community_id = gen_random_uuid()`
  expect(await sweepOrphans(fixture.deps, SWEEP_TIME)).toEqual({ files: 0, untracked: 0 })
  expect(await isStored(stray)).toBe(true)
  await fixture.sql`update settings set community_id = ${before?.community_id}`
  expect(await sweepOrphans(fixture.deps, SWEEP_TIME)).toEqual({ files: 0, untracked: 1 })
})

it('either attaches the file or rejects the application when both run concurrently', async () => {
  const team = await fixture.createTeam()
  for (let round = 0; round < 25; round++) {
    const file = await fixture.createUpload(team.chef)
    await age(file.id, 25)
    const { id } = await fixture.createChallenge()
    const [applied] = await Promise.all([
      fixture.applyWithLink(team, id, { type: 'upload', content: file.secureUrl }).catch(() => null),
      sweepOrphans(fixture.deps),
    ])
    expect([await hasRow(file.id), await isStored(file.key)]).toEqual(applied === null ? [false, false] : [true, true])
  }
  await expectInvariants(fixture.db)
})

it('deletes each file once when several run concurrently', async () => {
  const user = await fixture.createMember()
  for (let n = 0; n < 20; n++) await age((await fixture.createUpload(user)).id, 30)
  const swept = await Promise.all(Array.from({ length: 4 }, () => sweepOrphans(fixture.deps)))
  expect(swept.reduce((sum, { files }) => sum + files, 0)).toBe(20)
})
