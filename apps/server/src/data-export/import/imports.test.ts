import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { limits } from '@community/contract'
import { fileForm, PASSWORD } from '@community/testing'
import { expectInvariants } from '@community/testing/database/invariants'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openFilledServer, writeArchive } from '../../../test/archive-fixture.ts'
import { pdf } from '../../../test/sample-files.ts'
import { dataOf, openTestServer, type TestServer, type TestUser } from '../../../test/test-server.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { createSecret } from '../../auth/secret.ts'
import { startWorker, type Worker } from '../../jobs/worker.ts'
import { importHandler } from './import-job.ts'
import { IMPORT_JOB } from './queries.ts'
import { deleteUntrackedParts } from './sweep-parts.ts'

const SOON = { timeout: 20_000 }

const folder = temporaryFolder()
let source: TestServer
let archive: Buffer
let exported: Record<string, string>
beforeAll(async () => {
  source = await openFilledServer()
  // More than one part.
  const form = fileForm('file', pdf(9_000_000), 'large.pdf')
  await dataOf(source.rest(await source.createMember())('POST /upload/single', form))
  const file = path.join(folder, 'archive.zip')
  exported = await writeArchive(file, source.deps)
  archive = await readFile(file)
})
afterAll(() => source.close())

let server: TestServer
let admin: TestUser
let worker: Worker
let stopping: AbortController
beforeEach(async () => {
  server = await openTestServer()
  admin = await server.createAdmin()
  startImporting()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  stopping.abort()
  await worker.stop()
  await server.close()
})

function startImporting(): void {
  stopping = new AbortController()
  worker = startWorker(server.deps, { [IMPORT_JOB]: importHandler(server.deps, stopping.signal) })
}

const status = async (user = admin) => (await server.rest(user)('GET /admin/import')).body.data
const begin = async (bytes: Buffer) => {
  const form = { fileName: 'season.zip', size: bytes.length, password: PASSWORD }
  return (await server.rest(admin)('POST /admin/import', form)).body.data.import.id as string
}
async function sendPart(id: string, part: number, bytes: Buffer, contentType = 'application/octet-stream') {
  const response = await server.app.inject({
    method: 'PUT',
    url: `/api/admin/import/${id}/parts/${part}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': contentType },
    payload: bytes,
  })
  return { status: response.statusCode, body: response.json() }
}
const partOf = (bytes: Buffer, part: number) =>
  bytes.subarray(part * limits.IMPORT_PART_BYTES, (part + 1) * limits.IMPORT_PART_BYTES)
async function send(bytes: Buffer): Promise<string> {
  const id = await begin(bytes)
  for (let part = 0; part * limits.IMPORT_PART_BYTES < bytes.length; part++)
    expect((await sendPart(id, part, partOf(bytes, part))).status).toBe(200)
  return id
}
const finish = () => expect.poll(async () => (await status()).import?.status, SOON)
const storedParts = async () => {
  const keys: string[] = []
  for await (const { key } of server.deps.storage.list('imports/')) keys.push(key)
  return keys
}
const countUsers = async () => (await server.sql`select 1 from users`).length
/** Blocks the import at the rows of `team_members` while `work` runs. */
async function whileImportWaits(work: () => Promise<void>): Promise<void> {
  const lock = await server.sql.reserve()
  await lock`begin`
  await lock`lock table team_members in share mode`
  const isWaiting = async () =>
    (await lock`select 1 from pg_locks where relation = 'team_members'::regclass and not granted`).length
  await expect.poll(isWaiting, SOON).toBe(1)
  try {
    await work()
  } finally {
    await lock`rollback`
    lock.release()
  }
}

it('imports an archive in parts, and keeps the administrator and their sign-in', async () => {
  expect(await status()).toEqual({ isPossible: true, import: null })
  await send(archive)
  await finish().toBe('done')
  const total = Object.entries(exported)
    .filter(([name]) => name.startsWith('tables/'))
    .reduce((sum, [, text]) => sum + text.split('\n').length - 1, 3)
  const outcome = (await status()).import
  expect(outcome).toMatchObject({ fileName: 'season.zip', done: total, total, fault: null })
  expect((await status()).isPossible).toBe(false)
  expect((await server.rest(admin)('GET /users/profile')).body.data.user).toMatchObject({ id: admin.id, role: 'admin' })
  await expect.poll(storedParts, SOON).toEqual([])
  await expectInvariants(server.db)
  const again = await writeArchive(path.join(folder, 'again.zip'), server.deps)
  for (const name of ['tables/teams.jsonl', 'tables/submissions.jsonl', 'tables/challenges.jsonl'])
    expect(again[name]).toBe(exported[name])
  expect(again['tables/users.jsonl']?.split('\n').toSorted()).toEqual(
    expect.arrayContaining(exported['tables/users.jsonl']?.split('\n').toSorted() ?? []),
  )
})

it('is possible though mails to the administrator were rejected, and numbers notifications onwards', async () => {
  await server.sql`insert into mail_bounces (user_id, email, failures) values (${admin.id}, ${admin.email}, 1)`
  await server.sql`select setval('notifications_sequence_seq', 5000)`
  expect((await status()).isPossible).toBe(true)
  await send(archive)
  await finish().toBe('done')
  const [next] = await server.sql`select nextval('notifications_sequence_seq')::int as sequence`
  expect(next).toEqual({ sequence: 5001 })
})

it('lists the administrator’s entries of the audit log before the imported ones', async () => {
  await send(archive)
  await finish().toBe('done')
  const { entries } = (await server.rest(admin)('GET /admin/audit')).body.data
  expect(entries[0]).toMatchObject({ action: 'admin.startImport', actor: { id: admin.id } })
  const imported = await source.sql`select uuid from audit_log order by id desc`
  expect(entries.slice(1).map(({ id }: { id: string }) => id)).toEqual(imported.map(({ uuid }) => uuid))
  await server.rest(admin)('POST /roles', { name: 'Weaver', emoji: '🧶', description: 'Weaves', category: 'Design' })
  expect((await server.rest(admin)('GET /admin/audit')).body.data.entries[0].action).toBe('roles.create')
})

it('gives the password and the sign-in to the imported account with the same address', async () => {
  const [chef] = await source.sql`select id, email from users where name = 'زينب الشرايبي'`
  await server.sql`update users set email = ${chef?.email} where id = ${admin.id}`
  await server.sql`insert into known_devices (user_id, browser, system) values (${admin.id}, 'Lynx', 'Plan 9')`
  await send(archive)
  await finish().toBe('done')
  expect((await server.rest(admin)('GET /users/profile')).body.data.user).toMatchObject({
    id: chef?.id,
    email: chef?.email,
    role: 'admin',
  })
  expect(await server.sql`select 1 from users where id = ${admin.id}`).toEqual([])
  expect(await server.sql`select user_id from known_devices where browser = 'Lynx'`).toEqual([{ user_id: chef?.id }])
  const form = { email: chef?.email as string, password: PASSWORD }
  expect((await server.rest()('POST /auth/login', form)).status).toBe(200)
  await expectInvariants(server.db)
})

it('continues an upload, and acknowledges a part again', async () => {
  const id = await begin(archive)
  const [first, second] = [partOf(archive, 0), partOf(archive, 1)]
  for (const [part, bytes] of [
    [1, second],
    [0, first.subarray(1)],
    [0, Buffer.alloc(0)],
    [2, Buffer.alloc(1)],
  ] as const)
    expect((await sendPart(id, part, bytes)).body.code).toBe('IMPORT_PART_WRONG')
  for (let repeat = 0; repeat < 2; repeat++)
    expect((await sendPart(id, 0, first)).body.data.import).toMatchObject({
      received: limits.IMPORT_PART_BYTES,
      status: 'receiving',
    })
  expect((await sendPart(admin.id, 0, first)).body.code).toBe('IMPORT_MISSING')
  expect((await sendPart(id, 1, second)).body.data.import).toMatchObject({ received: archive.length })
  await finish().toBe('done')
})

it('rejects a part that is not sent as bytes', async () => {
  const id = await begin(archive)
  const { status: rejected, body } = await sendPart(id, 0, partOf(archive, 0), 'text/plain')
  expect([rejected, body.code]).toEqual([415, 'WRONG_CONTENT_TYPE'])
})

it('rejects a product that is not empty', async () => {
  await server.createMember()
  expect((await status()).isPossible).toBe(false)
  const id = await begin(archive)
  expect((await sendPart(id, 0, partOf(archive, 0))).body.code).toBe('PRODUCT_NOT_EMPTY')
})

it.each([
  ['not-an-archive', () => Buffer.from('hello'), /^season\.zip is not a complete archive/],
  ['damaged', () => flipByte(archive, '%PDF-'), /is damaged at objects\//],
])('fails an import with the fault %s and leaves the product empty', async (fault, bytes, details) => {
  await send(bytes())
  await finish().toBe('failed')
  expect((await status()).import).toMatchObject({ fault, faultDetails: expect.stringMatching(details) })
  expect((await status()).isPossible).toBe(true)
  await expect.poll(storedParts, SOON).toEqual([])
  await send(archive)
  await finish().toBe('done')
})

it('waits while somebody else has an account, and continues when it is deleted', async () => {
  const id = await begin(archive)
  await sendPart(id, 0, partOf(archive, 0))
  const member = await server.createMember()
  await sendPart(id, 1, partOf(archive, 1))
  await expect
    .poll(async () => (await status()).import, SOON)
    .toMatchObject({ status: 'waiting', fault: 'not-empty', faultDetails: expect.stringMatching(/other accounts/) })
  expect(await storedParts()).toHaveLength(2)
  const line = `DELETE /admin/users/${member.id}` as const
  expect((await server.rest(admin)(line, { password: PASSWORD })).status).toBe(200)
  await server.sql`update jobs set available_at = now() where kind = ${IMPORT_JOB}`
  await finish().toBe('done')
  expect((await status()).import).toMatchObject({ fault: null, faultDetails: null })
})

it('rolls back an import that is cancelled', async () => {
  const id = await send(archive)
  await whileImportWaits(async () => {
    expect((await status()).import).toMatchObject({ status: 'running', total: expect.any(Number) })
    const restart = { fileName: 'b.zip', size: 9, password: PASSWORD }
    expect((await server.rest(admin)('POST /admin/import', restart)).body.code).toBe('IMPORT_RUNNING')
    expect((await server.rest(admin)(`DELETE /admin/import/${id}`)).status).toBe(200)
  })
  await expect
    .poll(
      async () => (await server.sql`select 1 from jobs where status = 'pending' and kind = ${IMPORT_JOB}`).length,
      SOON,
    )
    .toBe(0)
  expect([await countUsers(), await storedParts(), (await status()).import]).toEqual([1, [], null])
})

it('leaves no temporary file in the folder while it runs', async () => {
  vi.stubEnv('TMPDIR', await mkdtemp(path.join(folder, 'temporary-')))
  await send(archive)
  await whileImportWaits(async () => expect(await readdir(os.tmpdir())).toEqual([]))
  await finish().toBe('done')
})

it('continues an import in another process when the first stops', async () => {
  await send(archive)
  await whileImportWaits(async () => stopping.abort())
  await worker.stop()
  expect([await countUsers(), (await status()).import.status]).toEqual([1, 'running'])
  await server.sql`update jobs set available_at = now() where kind = ${IMPORT_JOB}`
  startImporting()
  await finish().toBe('done')
  expect(await countUsers()).toBe((exported['tables/users.jsonl']?.split('\n').length ?? 0) - 1 + 1)
})

it('fails an import whose worker crashed at every attempt; it can be started again', async () => {
  await send(archive)
  await whileImportWaits(async () => stopping.abort())
  await worker.stop()
  await server.sql`update jobs set attempts = 10, available_at = now() where kind = ${IMPORT_JOB}`
  startImporting()
  await finish().toBe('failed')
  expect((await status()).import).toMatchObject({ fault: 'interrupted', faultDetails: 'the server stopped' })
  await expect.poll(storedParts, SOON).toEqual([])
  await send(archive)
  await finish().toBe('done')
})

it('fails an import whose job was sealed with another APP_SECRET', async () => {
  stopping.abort()
  await worker.stop()
  await send(archive)
  await server.sql`update jobs set payload = ${createSecret(randomBytes(32)).seal('{}')} where kind = ${IMPORT_JOB}`
  startImporting()
  await finish().toBe('failed')
  const faultDetails = 'the job cannot be read: APP_SECRET has changed'
  expect((await status()).import).toMatchObject({ fault: 'interrupted', faultDetails })
  await expect.poll(storedParts, SOON).toEqual([])
})

it('sweeps the parts of an import that is gone, a day later', async () => {
  const id = await begin(archive)
  await sendPart(id, 0, partOf(archive, 0))
  const tomorrow = new Date(Date.now() + 25 * 3600 * 1000)
  expect(await deleteUntrackedParts(server.deps, tomorrow)).toBe(0)
  await server.sql`delete from archive_imports`
  expect(await deleteUntrackedParts(server.deps, new Date())).toBe(0)
  expect(await deleteUntrackedParts(server.deps, tomorrow)).toBe(1)
  expect(await storedParts()).toEqual([])
})

/** The bytes with one changed behind `marker`. */
function flipByte(bytes: Buffer, marker: string): Buffer {
  const changed = Buffer.from(bytes)
  const at = changed.indexOf(marker) + marker.length + 40
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}
