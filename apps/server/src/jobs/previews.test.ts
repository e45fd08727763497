import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { expectInvariants } from '@community/testing/database/invariants'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPdf } from '../../test/sample-documents.ts'
import { decompressionBomb, photo } from '../../test/sample-pictures.ts'
import { listKeys, openUploadApp, type UploadApp } from '../../test/upload-app.ts'
import { type FixtureTeam, openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createSecret } from '../auth/secret.ts'
import { createFileStorage } from '../integrations/storage-files.ts'
import { type Storage, StorageUnavailable } from '../integrations/storage.ts'
import { thumbnailKeys } from '../previews/preview.ts'
import { deleteTeamSubmissions } from '../submissions/deletion-commands.ts'
import { createKey } from '../uploads/file-url.ts'
import { sweepOrphans } from '../uploads/sweep-orphans.ts'
import { backfillPreviewsHandler, previewHandler } from './previews.ts'
import { startWorker } from './worker.ts'

const folder = temporaryFolder()
let fixture: WorkFixture
let app: UploadApp
let team: FixtureTeam
let picture: { bytes: Uint8Array; mimeType: string }
beforeAll(async () => {
  fixture = await openWorkFixture()
  app = await openUploadApp(fixture)
  team = await fixture.createTeam()
  picture = { bytes: await photo(750, 500), mimeType: 'image/jpeg' }
})
beforeEach(() => fixture.sql`delete from jobs`)
afterAll(async () => {
  await app.close()
  await fixture.close()
})

const SOON = { timeout: 30_000 }
/** The jobs of previews, without those that mail notifications. */
const rows = () => fixture.sql`
  select kind, status, attempts, last_error from jobs where kind like '%preview%' order by created_at, kind`
const statuses = async () => (await rows()).map(({ kind, status }) => `${kind} ${status}`)
const start = (overrides: { storage?: Storage } = {}, stopping = new AbortController().signal) => {
  const deps = { ...fixture.deps, ...overrides }
  return startWorker(deps, {
    preview: previewHandler(deps, stopping),
    'backfill-previews': backfillPreviewsHandler(deps),
  })
}
/** Submits a file. Returns the upload, and the ids of the challenge and the submission. */
async function submit(content = picture, name = 'photo.jpg') {
  const file = await fixture.createUpload(team.chef, name, content)
  const { id: challengeId } = await fixture.createChallenge()
  const work = { type: 'upload', content: file.secureUrl } as const
  return { file, challengeId, id: await fixture.applyWithLink(team, challengeId, work) }
}
const previewOf = async (id: string) => (await fixture.as(team.chef).submission({ id })).data.submission.preview
/** Runs the jobs until none is pending. */
async function runJobs() {
  const worker = start()
  await expect.poll(async () => (await statuses()).some((status) => status.endsWith('pending')), SOON).toBe(false)
  await worker.stop()
}
const thumbnailsOf = async (key: string) => {
  const stored = await listKeys(fixture)
  return thumbnailKeys(key).filter((thumbnail) => stored.includes(thumbnail))
}

describe('a submitted picture', () => {
  it('gets thumbnails, which are served like the file', async () => {
    const { id, file } = await submit()
    const before = (await fixture.as(team.chef).submission({ id })).data.submission
    expect(before.preview).toBeNull()
    await runJobs()
    const { preview, updatedAt } = (await fixture.as(team.chef).submission({ id })).data.submission
    // A new preview changes it, so that open pages and clients with `updatedSince` fetch the work again.
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(preview).toMatchObject({ pageCount: null, color: expect.stringMatching(/^#[0-9a-f]{6}$/) })
    expect(preview?.thumbnails.map(({ type, width, height }) => [type, width, height])).toEqual([
      ['image/avif', 480, 720],
      ['image/webp', 480, 720],
      ['image/avif', 500, 750],
      ['image/webp', 500, 750],
    ])
    for (const { url, type } of preview?.thumbnails ?? []) {
      const address = `${app.url}${new URL(url).pathname}`
      const response = await fetch(address)
      const bytes = await response.arrayBuffer()
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      const etag = response.headers.get('etag') ?? ''
      expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    const [thumbnail] = preview?.thumbnails ?? []
    const address = `${app.url}${new URL(thumbnail?.url ?? '').pathname}`
    await fixture.as(fixture.judge).evaluate({ id, status: 'approved', score: 80 })
    expect((await fetch(address)).headers.get('cache-control')).toBe('public, max-age=86400, immutable')
    expect((await fetch(address.replace('/480.', '/481.'))).status).toBe(404)
    expect((await fetch(address.replace(file.key, createKey()))).status).toBe(404)
    await expectInvariants(fixture.db)
  })

  it('keeps them when it is submitted again, and loses them with its submission', async () => {
    const { id, file } = await submit()
    await runJobs()
    await fixture.as(fixture.judge).evaluate({ id, status: 'rejected' })
    await fixture.as(team.chef).resubmit({ id, status: 'pending' })
    expect((await previewOf(id))?.thumbnails).toHaveLength(4)
    expect(await thumbnailsOf(file.key)).toHaveLength(4)
    await fixture.as(fixture.judge).remove({ id, password: 'x' })
    expect(await listKeys(fixture)).not.toContain(file.key)
    expect(await thumbnailsOf(file.key)).toEqual([])
  })

  it('loses them with its challenge and with its team', async () => {
    const { file, challengeId } = await submit()
    const last = await submit()
    await runJobs()
    await fixture.as(fixture.judge).deleteChallenge({ id: challengeId, password: 'x' })
    expect(await thumbnailsOf(file.key)).toEqual([])
    const keys = await inTransaction(fixture.db, (tx) => deleteTeamSubmissions(tx, team.id))
    expect(keys).toEqual(expect.arrayContaining([last.file.key, ...thumbnailKeys(last.file.key)]))
  })
})

it('shows the first page of a PDF, nothing of an archive', async () => {
  const pdf = await submit({ bytes: createPdf(3), mimeType: 'application/pdf' }, 'report.pdf')
  const zip = await submit({ bytes: randomBytes(64), mimeType: 'application/zip' }, 'work.zip')
  expect(await statuses()).toEqual(['preview pending'])
  await runJobs()
  expect(await previewOf(pdf.id)).toMatchObject({ pageCount: 3, thumbnails: { length: 4 } })
  expect(await previewOf(zip.id)).toBeNull()
})

describe('the job', () => {
  it('gives up on a file that cannot be decoded, after one attempt', async () => {
    const broken = await submit({ bytes: picture.bytes.subarray(0, 2000), mimeType: 'image/jpeg' })
    await submit({ bytes: decompressionBomb(30_000, 30_000), mimeType: 'image/png' })
    await submit({ bytes: randomBytes(64), mimeType: 'application/pdf' })
    await runJobs()
    expect(await rows()).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'preview', status: 'done', attempts: 1, last_error: null })),
    )
    expect(await previewOf(broken.id)).toBeNull()
    expect(await thumbnailsOf(broken.file.key)).toEqual([])
  })

  it('does nothing for a file that has a preview', async () => {
    const { id } = await submit()
    await runJobs()
    const before = await previewOf(id)
    await fixture.sql`update uploads set preview = jsonb_set(preview, '{color}', '"#123456"') where preview is not null`
    await fixture.sql`update jobs set payload = ${await sealPayload(id)}, status = 'pending', key = null`
    await runJobs()
    expect(await previewOf(id)).toEqual({ ...before, color: '#123456' })
  })

  it('deletes the thumbnails of a file that is deleted while the job runs', async () => {
    const { id, file } = await submit()
    const storage: Storage = {
      ...fixture.storage,
      put: async (key, ...rest) => {
        await fixture.storage.put(key, ...rest)
        if (key === thumbnailKeys(file.key)[1]) await fixture.as(fixture.judge).remove({ id, password: 'x' })
      },
    }
    const worker = start({ storage })
    await expect.poll(statuses, SOON).toEqual(['preview done'])
    await worker.stop()
    expect(await thumbnailsOf(file.key)).toEqual([])
  })

  it('waits for an unavailable storage, and for the next process when this one stops', async () => {
    const { id } = await submit()
    const away: Storage = { ...fixture.storage, open: () => Promise.reject(new StorageUnavailable('away')) }
    const worker = start({ storage: away })
    await expect.poll(async () => (await rows())[0]?.['last_error'], SOON).toBe('The storage is unavailable')
    await worker.stop()
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0 }])
    await fixture.clock.makeJobsDue()
    // An error of one object is no outage, so it counts as an attempt.
    const damaged: Storage = {
      ...fixture.storage,
      open: () => Promise.reject(new StorageUnavailable('EISDIR', 'object')),
    }
    const failing = start({ storage: damaged })
    await expect.poll(async () => (await rows())[0]?.['last_error'], SOON).toBe('The object is unavailable')
    await failing.stop()
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    await fixture.sql`update jobs set attempts = 0`
    await fixture.clock.makeJobsDue()
    const stopping = new AbortController()
    const stopped = start({}, stopping.signal)
    await expect.poll(async () => (await rows())[0]?.['attempts'], SOON).toBe(1)
    stopping.abort()
    await stopped.stop()
    expect(await rows()).toMatchObject([{ status: 'pending', last_error: 'the server stopped' }])
    await fixture.clock.makeJobsDue()
    await runJobs()
    expect((await previewOf(id))?.thumbnails).toHaveLength(4)
  })

  it.runIf(process.platform === 'linux')(
    'survives a decoder that crashes, and gives up after three attempts',
    async () => {
      const { id } = await submit()
      for (const decoder of findDecoders()) ended.add(decoder)
      const worker = start()
      for (let attempt = 1; attempt <= 3; attempt++) {
        await expect.poll(killDecoder, { ...SOON, interval: 10 }).toBe(true)
        const outcome = { status: attempt < 3 ? 'pending' : 'dead', attempts: attempt }
        await expect
          .poll(async () => (await rows())[0], SOON)
          .toMatchObject({ ...outcome, last_error: 'the decoder ended early: SIGKILL' })
        await fixture.clock.makeJobsDue()
      }
      await worker.stop()
      expect(await previewOf(id)).toBeNull()
    },
  )

  it('is finished by another process when its own is killed', async () => {
    const storage = createFileStorage(folder)
    const { id, file } = await submit()
    await storage.put(file.key, Buffer.from(picture.bytes), { contentType: 'image/jpeg', size: picture.bytes.length })
    const key = randomBytes(32).toString('hex')
    const payload = JSON.stringify({ uploadId: file.id, key: file.key })
    await fixture.sql`update jobs set payload = ${createSecret(Buffer.from(key, 'hex')).seal(payload)}`
    const worker = fork(new URL('../../test/job-worker.ts', import.meta.url), {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, WORKER_DATABASE: fixture.url, WORKER_FILES: folder, WORKER_KEY: key },
    })
    const died = once(worker, 'exit')
    const [first = ''] = thumbnailKeys(file.key)
    await fixture.sql.begin(async (tx) => {
      // Until it is killed, the worker waits for this row, in which it would store the preview.
      const lock = () => tx`select from uploads where id = ${file.id} for update`
      await expect.poll(async () => (await lock(), storage.head(first)), { ...SOON, interval: 5 }).not.toBeNull()
      worker.kill('SIGKILL')
      await died
    })
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    await fixture.clock.expireLeases('jobs')
    const deps = { ...fixture.deps, storage, secret: createSecret(Buffer.from(key, 'hex')) }
    const successor = startWorker(deps, { preview: previewHandler(deps, new AbortController().signal) })
    await expect.poll(statuses, SOON).toEqual(['preview done'])
    await successor.stop()
    expect((await previewOf(id))?.thumbnails).toHaveLength(4)
    for (const thumbnail of thumbnailKeys(file.key)) expect(await storage.head(thumbnail)).not.toBeNull()
  })
})

it('makes the previews of files that are older than previews, in steps, once', async () => {
  await fixture.sql`update uploads set preview = '{}' where preview is null`
  await fixture.sql`
    insert into uploads (key, original_name, size, mime_type, attached_at)
    select '20200101-' || lpad(n::text, 32, '0'), 'a.png', 1, 'image/png', now() from generate_series(1, 70) n`
  await fixture.sql`insert into uploads (key, original_name, size, mime_type) values ('unused', 'a.png', 1, 'image/png')`
  await fixture.sql`insert into jobs (kind, key, payload) values ('backfill-previews', 'backfill-previews', '')`
  const run = (status: string) =>
    fixture.sql`select kind, count(*)::int as n from jobs where status = ${status} and kind like '%preview%' group by 1 order by 1`
  const worker = startWorker(fixture.deps, { 'backfill-previews': backfillPreviewsHandler(fixture.deps) })
  await expect.poll(() => run('done'), SOON).toEqual([{ kind: 'backfill-previews', n: 1 }])
  expect(await run('pending')).toEqual([
    { kind: 'backfill-previews', n: 1 },
    { kind: 'preview', n: 50 },
  ])
  await fixture.clock.makeJobsDue()
  await expect.poll(() => run('done'), SOON).toEqual([{ kind: 'backfill-previews', n: 2 }])
  await worker.stop()
  expect(await run('pending')).toEqual([{ kind: 'preview', n: 70 }])
})

it('deletes the thumbnails of deleted files', async () => {
  await fixture.sql`delete from uploads where key like '20200101%' or key = 'unused'`
  // Swept in ten days: objects stored within two days are spared.
  const [keyDay, later] = [7, 10].map((days) => new Date(Date.now() + days * limits.DAY * 1000))
  const [gone, kept] = [createKey(keyDay), createKey(keyDay)]
  const used = await fixture.createUpload(team.chef)
  await fixture.sql`update uploads set key = ${kept}, attached_at = now() where id = ${used.id}`
  for (const key of [...thumbnailKeys(gone), ...thumbnailKeys(kept)])
    await fixture.storage.put(key, Buffer.from('x'), { contentType: 'image/webp', size: 1 })
  expect(await sweepOrphans(fixture.deps, later)).toMatchObject({ untracked: 4 })
  expect([await thumbnailsOf(gone), await thumbnailsOf(kept)]).toEqual([[], thumbnailKeys(kept)])
})

/** Returns the sealed payload of the job for a submission's file. */
async function sealPayload(id: string): Promise<string> {
  const [file] =
    await fixture.sql`select u.id, u.key from uploads u join submissions s on s.upload_id = u.id where s.id = ${id}`
  return fixture.deps.secret.seal(JSON.stringify({ uploadId: file?.['id'], key: file?.['key'] }))
}

/** Decoders of earlier jobs, and killed ones: on a busy machine they may still be listed for a while. */
const ended = new Set<string>()
function findDecoders(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render-process'))
}
/** Kills the process that decodes a file, as a crash would; false if there is none. */
function killDecoder(): boolean {
  const decoder = findDecoders().find((pid) => !ended.has(pid))
  if (decoder === undefined) return false
  ended.add(decoder)
  return process.kill(Number(decoder), 'SIGKILL')
}
