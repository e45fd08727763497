import { rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { fileForm } from '@community/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../src/integrations/storage.ts'
import { StorageUnavailable } from '../src/integrations/storage.ts'
import { createFileStorage } from '../src/integrations/storage-files.ts'
import { checkResponse } from './response-checker.ts'
import { pdf } from './sample-files.ts'
import { photo } from './sample-pictures.ts'
import { openTestServer } from './test-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Faults to inject into the server's storage. */
interface Faults {
  remove?: () => never
  body?: () => Readable
}

const files = path.join(temporaryFolder(), 'files')
let faults: Faults
const storage = createFileStorage(files)
const fragile: Storage = {
  ...storage,
  async remove(key) {
    faults.remove?.()
    await storage.remove(key)
  },
  async open(key, range) {
    const found = await storage.open(key, range)
    if (!found || !faults.body) return found
    found.body.destroy()
    return { ...found, body: faults.body() }
  },
}
const server = await openTestServer({}, { storage: fragile })
const member = await server.createMember()
beforeEach(() => {
  faults = {}
})
afterAll(() => server.close())

/** Replaces the folder by a symlink loop: every access fails, also for root, with an error other than ENOENT. */
async function breakStorage() {
  await rename(files, `${files}.away`)
  await symlink('files', files)
}
async function repairStorage() {
  await rm(files)
  await rename(`${files}.away`, files)
}

async function upload(
  bytes: Uint8Array,
  endpoint: 'single' | 'profile' = 'single',
  headers: Record<string, string> = {},
) {
  const field = endpoint === 'single' ? 'file' : endpoint
  const response = await server.app.inject({
    method: 'POST',
    url: `/api/upload/${endpoint}`,
    headers: { authorization: `Bearer ${member.token}`, ...headers },
    payload: fileForm(field, bytes, 'rapport.pdf'),
  })
  checkResponse('POST', `/upload/${endpoint}`, response.statusCode, response.json())
  return response
}
const read = (secureUrl: string) => server.app.inject(new URL(secureUrl).pathname)

type Injected = Awaited<ReturnType<typeof read>>
function expectUnavailable({ statusCode, headers, body }: Injected) {
  expect([statusCode, JSON.parse(body)]).toMatchObject([503, { success: false, code: 'UNAVAILABLE', cooldown: 5 }])
  expect(body).not.toMatch(/ELOOP|EIO|StorageUnavailable|community-test|stack|\.ts/)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['retry-after']).toBe('5')
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
  for (const name of ['etag', 'last-modified', 'content-disposition', 'content-range', 'accept-ranges'])
    expect([name, headers[name]]).toEqual([name, undefined])
}

describe('while the storage is unavailable', () => {
  it('responds to uploads and files with 503, serves the rest, reports it in the health check, and recovers by itself', async () => {
    const storedUrl = (await upload(pdf(5000))).json().data.file.secureUrl
    const rows = async () => Number((await server.sql`select count(*) from uploads`)[0]?.count)
    const before = await rows()
    await breakStorage()
    try {
      expectUnavailable(await upload(pdf(), 'single', { 'idempotency-key': 'again' }))
      expectUnavailable(await upload(await photo(), 'profile'))
      expectUnavailable(await read(storedUrl))
      expect(await rows()).toBe(before)
      expect((await server.rest(member)('GET /users/profile')).body.data.user.avatarUrl).toBeNull()
      // Readiness depends on the database only.
      expect((await server.rest()('GET /health')).body.data).toMatchObject({ database: 'up', storage: 'down' })
      expect((await server.rest()('GET /teams')).status).toBe(200)
    } finally {
      await repairStorage()
    }
    // A failed request can be retried with the same key.
    expect((await upload(pdf(), 'single', { 'idempotency-key': 'again' })).statusCode).toBe(201)
    expect((await upload(await photo(), 'profile')).statusCode).toBe(201)
    expect((await read(storedUrl)).rawPayload).toEqual(Buffer.from(pdf(5000)))
    expect((await server.rest()('GET /health')).body.data.storage).toBe('up')
  })

  it('responds with 503 if the first byte cannot be read, and aborts the response if a later one cannot', async () => {
    const { secureUrl } = (await upload(pdf(200_000))).json().data.file
    const broken = () => {
      throw new Error('EIO: i/o error, read /srv/files')
    }
    faults.body = () => new Readable({ read: broken })
    expectUnavailable(await read(secureUrl))

    async function* half() {
      yield Buffer.alloc(70_000)
      broken()
    }
    faults.body = () => Readable.from(half())
    const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const response = await fetch(origin + new URL(secureUrl).pathname)
    expect(response.headers.get('content-length')).toBe('200000')
    await expect(response.arrayBuffer()).rejects.toThrow()
    // A body that ends early without an error must not leave the client waiting.
    faults.body = () => Readable.from([Buffer.alloc(70_000)])
    const short = await fetch(origin + new URL(secureUrl).pathname, { signal: AbortSignal.timeout(10_000) })
    await expect(short.arrayBuffer()).rejects.not.toMatchObject({ name: 'TimeoutError' })
    faults = {}
    expect((await read(secureUrl)).rawPayload).toHaveLength(200_000)
  })

  it('replaces a picture whose old object cannot be deleted', async () => {
    expect((await upload(await photo(), 'profile')).statusCode).toBe(201)
    const avatar = async () => (await server.rest(member)('GET /users/profile')).body.data.user.avatarUrl as string
    const before = await avatar()
    const countJobs = async () =>
      Number((await server.sql`select count(*) from jobs where kind = 'remove-objects'`)[0]?.count)
    const jobsBefore = await countJobs()
    faults.remove = () => {
      throw new StorageUnavailable(new Error('EIO'))
    }
    expect((await upload(await photo(), 'profile')).statusCode).toBe(201)
    const after = await avatar()
    expect(after).not.toBe(before)
    expect((await read(after)).statusCode).toBe(200)
    // Its row is deleted, so it is no longer served, and a job deletes the object later.
    expect((await read(before)).statusCode).toBe(404)
    expect(await countJobs()).toBe(jobsBefore + 1)
  })
})
