import { randomBytes } from 'node:crypto'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { listenLocally } from '@community/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { type Storage, StorageUnavailable } from './storage.ts'
import { createFileStorage } from './storage-files.ts'
import { createS3Storage } from './storage-s3.ts'

const folder = temporaryFolder()

const s3Settings = (overrides: object = {}) => ({
  endpoint: process.env.TEST_S3_ENDPOINT,
  region: 'us-east-1',
  bucket: `community-${randomBytes(4).toString('hex')}`,
  accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY ?? '',
  forcePathStyle: true,
  ...overrides,
})

const adapters: [name: string, make: () => Storage][] = [['files', () => createFileStorage(folder)]]
if (process.env.TEST_S3_ENDPOINT) adapters.push(['S3', () => createS3Storage(s3Settings())])
else
  process.stdout.write(
    'storage.test.ts: the S3 adapter is not tested here; set TEST_S3_ENDPOINT to test it on a real server\n',
  )

describe.each(adapters)('storage in %s', (_name, make) => {
  let storage: Storage
  beforeAll(async () => {
    storage = make()
    await storage.check()
  })
  const bytesOf = async (key: string, range?: { start: number; end?: number }) => {
    const found = await storage.open(key, range)
    return found && buffer(found.body)
  }
  const keysOf = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of storage.list(prefix)) keys.push(key)
    return keys
  }

  it('returns stored bytes with type and size', async () => {
    const bytes = randomBytes(300_000)
    await storage.put('a/one', bytes, { contentType: 'image/png', size: bytes.length })
    expect(await bytesOf('a/one')).toEqual(bytes)
    expect(await storage.head('a/one')).toEqual({
      contentType: 'image/png',
      size: 300_000,
      modifiedAt: expect.any(Date),
    })
  })
  it('stores a stream', async () => {
    const parts = [randomBytes(70_000), randomBytes(30_000)]
    await storage.put('a/stream', Readable.from(parts), { contentType: 'application/pdf', size: 100_000 })
    expect(await bytesOf('a/stream')).toEqual(Buffer.concat(parts))
  })
  it('stores nothing of a stream that fails or has another size', async () => {
    async function* broken() {
      yield Buffer.alloc(1000)
      throw new Error('the client hung up')
    }
    const put = (key: string, body: Readable | Buffer, size: number) =>
      storage.put(key, body, { contentType: 'image/gif', size })
    await expect(put('a/broken', Readable.from(broken()), 2000)).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(put('a/short', Readable.from([Buffer.alloc(10)]), 20)).rejects.toThrow(
      '10 bytes received, 20 declared',
    )
    await expect(put('a/long', Readable.from([Buffer.alloc(30)]), 20)).rejects.toThrow('30 bytes received, 20 declared')
    await expect(put('a/short', Buffer.alloc(10), 20)).rejects.toThrow('10 bytes received, 20 declared')
    for (const key of ['a/broken', 'a/short', 'a/long']) expect(await storage.head(key)).toBeNull()
  })
  it('reads a range', async () => {
    await storage.put('a/range', Buffer.from('0123456789'), { contentType: 'image/gif', size: 10 })
    expect(String(await bytesOf('a/range', { start: 2, end: 5 }))).toBe('2345')
    expect(String(await bytesOf('a/range', { start: 8 }))).toBe('89')
    expect((await storage.open('a/range', { start: 2, end: 5 }))?.size).toBe(10)
  })
  it('accepts writes while many read slowly', async () => {
    const bytes = Buffer.alloc(2 ** 20, 7)
    await storage.put('a/slow', bytes, { contentType: 'image/gif', size: bytes.length })
    const bodies: Readable[] = []
    for (let n = 0; n < 60; n++) {
      const found = await storage.open('a/slow')
      if (found) bodies.push(found.body)
    }
    await storage.put('a/meanwhile', Buffer.from('x'), { contentType: 'image/gif', size: 1 })
    await storage.check()
    expect(await bytesOf('a/meanwhile')).toEqual(Buffer.from('x'))
    expect(bodies.filter(({ destroyed }) => destroyed)).toEqual([])
    for (const body of bodies) body.destroy()
  })
  it('replaces an object atomically', async () => {
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.alloc(20_000 + index, index))
    await Promise.all(
      bodies.map((body) => storage.put('a/race', body, { contentType: 'image/gif', size: body.length })),
    )
    const stored = await bytesOf('a/race')
    expect(bodies.some((body) => stored?.equals(body))).toBe(true)
  })
  it('deletes objects and ignores missing ones', async () => {
    await storage.put('a/gone', Buffer.from('x'), { contentType: 'image/gif', size: 1 })
    await storage.remove('a/gone')
    await storage.remove('a/gone')
    expect(await storage.open('a/gone')).toBeNull()
    expect(await storage.head('a/never')).toBeNull()
  })
  it('lists by prefix', async () => {
    for (const key of ['list/1', 'list/2', 'other/1'])
      await storage.put(key, Buffer.from('x'), { contentType: 'image/gif', size: 1 })
    expect(await keysOf('list/')).toEqual(['list/1', 'list/2'])
    expect(await keysOf('list')).toEqual(['list/1', 'list/2'])
    expect(await keysOf('nothing/')).toEqual([])
    await expect(keysOf('../')).rejects.toThrow('Not a storage prefix')
  })
  it.each(['../outside', '/etc/passwd', 'a//b', 'a/../b', '', 'a b', 'x'.repeat(201)])(
    'rejects the key %j',
    async (key) => {
      await expect(storage.put(key, Buffer.from('x'), { contentType: 'image/gif', size: 1 })).rejects.toThrow(
        'Not a storage key',
      )
      await expect(storage.head(key)).rejects.toThrow('Not a storage key')
    },
  )
})

describe('storage in files', () => {
  const storage = createFileStorage(folder)

  it('distinguishes an error of one object from an outage', async () => {
    await mkdir(path.join(folder, 'damaged', 'object'), { recursive: true })
    for (const operation of ['open', 'head', 'remove'] as const)
      await expect(storage[operation]('damaged/object')).rejects.toMatchObject({
        name: 'StorageUnavailable',
        scope: 'object',
      })
    await rm(path.join(folder, 'damaged'), { recursive: true })
    // Every access fails, also for root.
    const loop = path.join(folder, 'loop')
    await symlink('loop', loop)
    await expect(createFileStorage(loop).remove('a/b')).rejects.toMatchObject({ scope: 'storage' })
    await rm(loop)
  })
})

describe('unreachable S3 storage', () => {
  it('fails in time', async () => {
    const storage = createS3Storage(s3Settings({ endpoint: 'http://127.0.0.1:9' }))
    await expect(storage.check()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(storage.put('a/b', Buffer.from('x'), { contentType: 'image/gif', size: 1 })).rejects.toBeInstanceOf(
      StorageUnavailable,
    )
  })

  it('does not take a missing bucket for a missing object or an empty folder', async () => {
    const xml = '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code></Error>'
    const server = createHttpServer((_request, response) =>
      response.writeHead(404, { 'content-type': 'application/xml' }).end(xml),
    )
    const storage = createS3Storage(s3Settings({ endpoint: `http://127.0.0.1:${await listenLocally(server)}` }))
    try {
      await expect(storage.open('a/b')).rejects.toBeInstanceOf(StorageUnavailable)
      await expect(storage.list('a/')[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(StorageUnavailable)
    } finally {
      storage.close()
      server.close()
    }
  })

  it.each([
    [403, 'storage'],
    [503, 'storage'],
    [400, 'storage', 400],
    [400, 'object'],
    [409, 'object'],
  ])('takes the status %s for an error of the %s', async (status, scope, statusOfBucket = 200) => {
    const server = createHttpServer(({ method }, response) =>
      response.writeHead(method === 'HEAD' ? statusOfBucket : status).end(),
    )
    const storage = createS3Storage(s3Settings({ endpoint: `http://127.0.0.1:${await listenLocally(server)}` }))
    try {
      await expect(storage.remove('a/b')).rejects.toMatchObject({ name: 'StorageUnavailable', scope })
    } finally {
      storage.close()
      server.close()
    }
  })

  it('times out before the client does, also in the middle of a file', async () => {
    // Accepts connections and never responds.
    const silent = createServer((socket) => socket.on('error', () => {}).resume())
    const port = await listenLocally(silent)
    const storage = createS3Storage(s3Settings({ endpoint: `http://127.0.0.1:${port}` }))
    const startedAt = performance.now()
    const meta = { contentType: 'image/gif', size: 100_000 }
    try {
      await Promise.all(
        [
          storage.open('a/b'),
          storage.put('a/b', Buffer.alloc(meta.size), meta),
          storage.put('a/c', Readable.from([Buffer.alloc(meta.size)]), meta),
        ].map((attempt) => expect(attempt).rejects.toBeInstanceOf(StorageUnavailable)),
      )
      expect(performance.now() - startedAt).toBeLessThan(9000)
    } finally {
      storage.close()
      silent.close()
    }
  }, 20_000)
})
