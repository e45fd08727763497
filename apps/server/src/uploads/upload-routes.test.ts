import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { readdir, readlink, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Failure, limits } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gif, html, jpeg, pdf, png, text, zip } from '../../test/sample-files.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { findUploads, listKeys, openUploadApp, openUploadFixture } from '../../test/upload-app.ts'
import type { Caller } from '../context.ts'
import type { Storage } from '../integrations/storage.ts'
import { createS3Storage } from '../integrations/storage-s3.ts'
import { parseFileUrl } from './file-url.ts'

const { fixture, app } = await openUploadFixture()

// Its own folder: the tests of other files upload meanwhile.
const folder = temporaryFolder()
beforeAll(() => void vi.stubEnv('TMPDIR', folder))
afterAll(() => void vi.unstubAllEnvs())
const findTemporaryFiles = () => readdir(folder)

describe('an upload', () => {
  it.each([
    ['image/jpeg', 'a.jpg', jpeg()],
    ['image/png', 'a.png', png()],
    ['image/gif', 'a.gif', gif()],
    ['application/pdf', 'a.pdf', pdf()],
    ['application/zip', 'a.zip', zip([{ name: 'a' }])],
  ] as const)('of %s is stored completely with its row', async (type, name, bytes) => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, bytes, { name, type: 'text/html' })
    expect(status).toBe(201)
    if (!body.success) throw new Error(body.message)
    const { file } = body.data
    expect(file).toMatchObject({ originalName: name, fileSize: bytes.length, mimeType: type })
    const key = parseFileUrl(fixture.deps.config.appUrl, file.secureUrl) ?? ''
    expect(await findUploads(fixture, user)).toMatchObject([
      { id: file.id, key, size: bytes.length, mimeType: type, attachedAt: null },
    ])
    const object = await fixture.storage.open(key)
    expect(object && Buffer.compare(await buffer(object.body), bytes)).toBe(0)
  })

  it('reaches the storage as a stream', async () => {
    const bodies: unknown[] = []
    const put: Storage['put'] = (key, body, meta) => {
      bodies.push(body)
      return fixture.storage.put(key, body, meta)
    }
    const observed = await openUploadApp(fixture, { ...fixture.storage, put })
    expect((await observed.send(await fixture.createMember(), png())).status).toBe(201)
    await observed.close()
    expect(bodies).toEqual([expect.any(Readable)])
  })

  it('of exactly 10,485,760 bytes with an Arabic name is accepted', async () => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, png(limits.UPLOAD_BYTES_MAX), { name: 'صورة.png' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ data: { file: { fileSize: 10_485_760, originalName: 'صورة.png' } } })
  })

  it('of one byte more is rejected and leaves nothing', async () => {
    const user = await fixture.createMember()
    const before = await listKeys(fixture)
    for (let n = 0; n < 20; n++) {
      const { status, body } = await app.send(user, png(limits.UPLOAD_BYTES_MAX + 1))
      expect(status).toBe(413)
      expect(body).toMatchObject({ code: 'FILE_TOO_LARGE', errors: [{ path: 'file' }] })
    }
    expect(await findUploads(fixture, user)).toEqual([])
    expect(await listKeys(fixture)).toEqual(before)
    expect(await findTemporaryFiles()).toEqual([])
  })

  it('of far more is rejected with or without Content-Length', async () => {
    const user = await fixture.createMember()
    expect((await app.send(user, png(30 * 1024 ** 2))).status).toBe(413)
    const boundary = 'x'.repeat(20)
    async function* form() {
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`)
      yield png(8)
      for (let n = 0; n < 30; n++) yield Buffer.alloc(1024 ** 2)
      yield Buffer.from(`\r\n--${boundary}--\r\n`)
    }
    const response = await fetch(`${app.url}/api/upload/single`, {
      method: 'POST',
      body: ReadableStream.from(form()),
      duplex: 'half',
      headers: { authorization: user.id, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    expect(response.status).toBe(413)
    expect(await findUploads(fixture, user)).toEqual([])
  })

  it('leaves the connection usable after a rejection', async () => {
    const user = await fixture.createMember()
    for (const bytes of [html(), png(limits.UPLOAD_BYTES_MAX + 1), png(30 * 1024 ** 2)])
      expect((await app.send(user, bytes)).status).toBeGreaterThanOrEqual(400)
    expect((await app.send(user, png())).status).toBe(201)
  })
})

describe('a file’s type', () => {
  const rejected = async (bytes: Uint8Array<ArrayBuffer>, name: string, type?: string) => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, bytes, { name, ...(type !== undefined && { type }) })
    expect(await findUploads(fixture, user)).toEqual([])
    return [status, body.success ? 'STORED' : body.code]
  }
  it.each([
    ['an HTML page named .png', html(), 'a.png', 'image/png'],
    ['an SVG with a script', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'a.gif', 'image/gif'],
    ['a program', text('MZ\x90\0\x03'), 'a.zip', 'application/zip'],
    ['a few bytes', text('\xff\xd8'), 'a.jpg', 'image/jpeg'],
    ['a signature that comes late', text('\n%PDF-1.7'), 'a.pdf', 'application/pdf'],
    ['a damaged archive', text('PK\x03\x04 nothing more'), 'a.zip', 'application/zip'],
    ['an archive with a path outside of it', zip([{ name: '../a' }]), 'a.zip', 'application/zip'],
  ])('is detected from its bytes: %s is rejected', async (_what, bytes, name, type) => {
    expect(await rejected(bytes, name, type)).toEqual([415, 'FILE_TYPE_REFUSED'])
  })
  it('is detected from its bytes, and its extension corrected', async () => {
    const file = await app.uploadFile(await fixture.createMember(), png(), 'invoice.pdf')
    expect(file).toMatchObject({ mimeType: 'image/png', originalName: 'invoice.pdf.png' })
  })
  it('is rejected when the file is empty', async () => {
    expect(await rejected(text(''), 'a.png')).toEqual([400, 'FILE_REQUIRED'])
  })
})

describe('a form', () => {
  const post = (user: Caller, body: string, type?: string) =>
    fetch(`${app.url}/api/upload/single`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { authorization: user.id, ...(type !== undefined && { 'content-type': type }) },
    })
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

  it('requires a signed-in user', async () => {
    const { status, body } = await app.send(null, png())
    expect([status, !body.success && body.code]).toEqual([401, 'NOT_SIGNED_IN'])
  })
  it('must have its file in the field "file"', async () => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, png(200_000), { field: 'files' })
    expect([status, !body.success && body.code]).toEqual([400, 'FILE_REQUIRED'])
    const named = 'multipart/form-data; boundary=b'
    const textField = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--b--\r\n'
    expect(await codeOf(await post(user, textField, named))).toEqual([400, 'FILE_REQUIRED'])
    expect(await codeOf(await post(user, '', named))).toEqual([400, 'FILE_REQUIRED'])
  })
  it('has its file and nothing else: other fields and a second file are rejected', async () => {
    const user = await fixture.createMember()
    const send = async (endpoint: string, parts: [name: string, value: string | Blob][]) => {
      const body = new FormData()
      for (const [name, value] of parts) body.append(name, value)
      const request = { method: 'POST', body, headers: { authorization: user.id } }
      const response = await fetch(`${app.url}/api/upload/${endpoint}`, request)
      const { code, errors } = Failure.parse(await response.json())
      return [response.status, code, ...(errors ?? []).map((error) => [error.path, error.code])]
    }
    const file = () => new Blob([png(300_000)])
    const unknownNote = [400, 'VALIDATION', ['note', 'UNKNOWN_FIELD']]
    for (const [endpoint, field] of [
      ['single', 'file'],
      ['profile', 'profile'],
      ['submission', 'files'],
    ] as const) {
      const parts: [string, string | Blob][] = [
        [field, file()],
        ['note', 'x'],
      ]
      expect(await send(endpoint, parts)).toEqual(unknownNote)
      expect(await send(endpoint, parts.toReversed())).toEqual(unknownNote)
    }
    const twice = (field: string): [string, Blob][] => [
      [field, file()],
      [field, file()],
    ]
    expect(await send('single', twice('file'))).toEqual([400, 'TOO_MANY_FILES', ['file', 'TOO_MANY_FILES']])
    expect(await send('profile', twice('profile'))).toEqual([400, 'TOO_MANY_FILES', ['profile', 'TOO_MANY_FILES']])
    expect(await findUploads(fixture, user)).toEqual([])
    expect(await findTemporaryFiles()).toEqual([])
    expect((await app.send(user, png())).status).toBe(201)
  })
  it('may have a file without a name', async () => {
    const user = await fixture.createMember()
    const head = '--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\n'
    const response = await fetch(`${app.url}/api/upload/single`, {
      method: 'POST',
      body: Buffer.concat([Buffer.from(head), png(), Buffer.from('\r\n--b--\r\n')]),
      headers: { authorization: user.id, 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(response.status).toBe(201)
    expect(await findUploads(fixture, user)).toMatchObject([{ originalName: 'file.png' }])
  })
  it('must be well-formed multipart', async () => {
    const user = await fixture.createMember()
    for (const type of ['application/json', 'image/png', 'text/plain', undefined])
      expect(await codeOf(await post(user, '{}', type))).toEqual([415, 'WRONG_CONTENT_TYPE'])
    expect(await codeOf(await post(user, 'x', 'multipart/form-data'))).toEqual([400, 'VALIDATION'])
    const truncatedForm =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG\r\n\x1a\nabc'
    const response = await fetch(`${app.url}/api/upload/single`, {
      method: 'POST',
      body: Buffer.from(truncatedForm, 'latin1'),
      headers: { authorization: user.id, 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(await codeOf(response)).toEqual([400, 'VALIDATION'])
    expect(await findUploads(fixture, user)).toEqual([])
  })
  it('leaves nothing after a disconnect, and the next one is served', async () => {
    const user = await fixture.createMember()
    await app.send(user, png())
    const before = await listKeys(fixture)
    const head = [
      'POST /api/upload/single HTTP/1.1',
      'Host: localhost',
      `Authorization: ${user.id}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 5000000',
      '',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    ].join('\r\n')
    for (let n = 0; n < 10; n++)
      await new Promise<void>((resolve) => {
        const socket = connect(app.port, '127.0.0.1', () => {
          socket.write(head)
          socket.write(png(1_000_000), () => socket.destroy())
        })
        socket.once('close', () => resolve())
        socket.once('error', () => resolve())
      })
    expect((await app.send(user, png())).status).toBe(201)
    expect(await findUploads(fixture, user)).toHaveLength(2)
    expect(await listKeys(fixture)).toHaveLength(before.length + 1)
    // The server may still be reading from the last closed connection.
    await expect.poll(findTemporaryFiles).toEqual([])
  })
})

describe('the daily quota', () => {
  it('allows 20 files per user, also concurrently', async () => {
    const user = await fixture.createMember()
    const responses = await Promise.all(Array.from({ length: 30 }, () => app.send(user, png())))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    const rejected = responses.find(({ status }) => status === 429)
    expect(rejected?.body).toMatchObject({ code: 'TOO_MANY_UPLOADS' })
    const wait = Number(rejected?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
    const rows = await findUploads(fixture, user)
    expect(rows).toHaveLength(20)
    const objects = new Set(await listKeys(fixture))
    for (const { key } of rows) expect(objects).toContain(key)
    expect((await app.send(await fixture.createMember(), png())).status).toBe(201)
    await fixture.clock.age('uploads', 'created_at', 86_400, { user_id: user.id })
    expect((await app.send(user, png())).status).toBe(201)
  })
  it('grants the last file once among eight concurrent uploads', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await fixture.createMember()
      await fixture.sql`
        insert into uploads (key, user_id, original_name, size, mime_type)
        select ${user.id} || n, ${user.id}, 'a.png', 1, 'image/png' from generate_series(1, 19) n`
      const responses = await Promise.all(Array.from({ length: 8 }, () => app.send(user, png())))
      const statuses = responses.map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(429)])
      expect(await findUploads(fixture, user)).toHaveLength(20)
    }
  })
  it('allows 200 MB per user', async () => {
    const user = await fixture.createMember()
    const { id } = await fixture.createUpload(user)
    await fixture.sql`update uploads set size = ${200 * 1024 ** 2 - 99} where id = ${id}`
    expect((await app.send(user, png(100))).status).toBe(429)
    expect((await app.send(user, png(99))).status).toBe(201)
  })
  it('leaves no object behind when exceeded', async () => {
    const user = await fixture.createMember()
    const { id } = await fixture.createUpload(user)
    await fixture.sql`update uploads set size = ${200 * 1024 ** 2} where id = ${id}`
    const before = await listKeys(fixture)
    expect((await app.send(user, png(100))).status).toBe(429)
    expect(await listKeys(fixture)).toEqual(before)
  })
})

describe('in-flight uploads', () => {
  /** Sends a form with a megabyte of its first file that never ends. */
  async function beginUpload(user: Caller, endpoint: 'single' | 'submission', field: string) {
    const socket = connect(app.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {}).resume()
    socket.write(
      `POST /api/upload/${endpoint} HTTP/1.1\r\nHost: x\r\nAuthorization: ${user.id}\r\nContent-Length: 5000000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\n\r\n`,
    )
    socket.write(png(1_000_000))
    return socket
  }
  /** The sizes of the unlinked temporary files of in-flight uploads. */
  async function readOpenSizes(): Promise<number[]> {
    const links = (await readdir('/proc/self/fd')).map((file) => `/proc/self/fd/${file}`)
    const targets = await Promise.all(links.map((link) => readlink(link).catch(() => '')))
    const uploads = links.filter((_link, index) => targets[index]?.includes('community-upload-'))
    const stats = await Promise.all(uploads.map((link) => stat(link).catch(() => null)))
    return stats.flatMap((file) => file?.size ?? [])
  }
  const countOpenFiles = async () => (await readOpenSizes()).length

  it('are written to disk as they arrive', async () => {
    const socket = await beginUpload(await fixture.createMember(), 'single', 'file')
    await expect.poll(async () => (await readOpenSizes())[0]).toBeGreaterThan(900_000)
    socket.destroy()
    await expect.poll(countOpenFiles).toBe(0)
  })

  it('are limited per user and do not block others', async () => {
    const user = await fixture.createMember()
    const sockets = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 ? beginUpload(user, 'single', 'file') : beginUpload(user, 'submission', 'files'),
      ),
    )
    await expect.poll(countOpenFiles).toBe(3)
    const rejected = await app.send(user, png())
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
    expect(rejected.body).toMatchObject({ code: 'UNAVAILABLE', cooldown: 2 })
    expect(await countOpenFiles()).toBe(3)
    expect((await app.send(await fixture.createMember(), png())).status).toBe(201)
    for (const socket of sockets) socket.destroy()
    await expect.poll(countOpenFiles).toBe(0)
    expect((await app.send(user, png())).status).toBe(201)
  }, 20_000)

  it('are dropped when the client disconnects while waiting', async () => {
    const user = await fixture.createMember()
    const first = await Promise.all([beginUpload(user, 'single', 'file'), beginUpload(user, 'single', 'file')])
    await expect.poll(countOpenFiles).toBe(2)
    const waiting = await Promise.all(Array.from({ length: 8 }, () => beginUpload(user, 'single', 'file')))
    for (const socket of waiting) socket.resetAndDestroy()
    for (const socket of first) socket.destroy()
    for (let n = 0; n < 3; n++) expect((await app.send(user, png())).status).toBe(201)
    expect(await countOpenFiles()).toBe(0)
  })
})

describe('an Idempotency-Key', () => {
  const sendWithKey = (user: Caller, key: string, bytes: Uint8Array<ArrayBuffer>) =>
    app.send(user, bytes, { headers: { 'idempotency-key': key } })
  it('replays the response for the same file and rejects another', async () => {
    const user = await fixture.createMember()
    const bytes = png(5000)
    const first = await sendWithKey(user, 'one', bytes)
    const again = await sendWithKey(user, 'one', bytes)
    expect(first.status).toBe(201)
    expect(again.body).toEqual(first.body)
    const other = await sendWithKey(user, 'one', png(5001))
    expect([other.status, !other.body.success && other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await findUploads(fixture, user)).toHaveLength(1)
  })
  it('replays the response beyond the daily quota, which still rejects a new key before anything is stored', async () => {
    const user = await fixture.createMember()
    const first = await sendWithKey(user, 'four', png(5000))
    for (let n = 1; n < limits.UPLOADS_PER_DAY; n++) await fixture.createUpload(user)
    const again = await sendWithKey(user, 'four', png(5000))
    expect([again.status, again.body]).toEqual([201, first.body])
    const put = vi.spyOn(fixture.storage, 'put')
    expect((await sendWithKey(user, 'five', png(5000))).status).toBe(429)
    const headers = { 'idempotency-key': 'six' }
    expect((await app.send(user, png(5000), { headers, endpoint: 'profile' })).status).toBe(429)
    expect(put).not.toHaveBeenCalled()
    put.mockRestore()
  })
  it('stores once when sent concurrently', async () => {
    const user = await fixture.createMember()
    const responses = await Promise.all(Array.from({ length: 8 }, () => sendWithKey(user, 'two', png(70_000))))
    expect(new Set(responses.map(({ status }) => status))).not.toContain(500)
    expect(responses.some(({ status }) => status === 201)).toBe(true)
    expect(await findUploads(fixture, user)).toHaveLength(1)
  })
})

describe('an unavailable storage', () => {
  it('answers 503, leaves no row and allows a retry with the same key', async () => {
    const unreachableStorage = createS3Storage({
      endpoint: 'http://127.0.0.1:9',
      region: 'us-east-1',
      bucket: 'none',
      accessKeyId: 'a',
      secretAccessKey: randomBytes(8).toString('hex'),
      forcePathStyle: true,
    })
    const appWithoutStorage = await openUploadApp(fixture, unreachableStorage)
    try {
      const user = await fixture.createMember()
      const headers = { 'idempotency-key': 'three' }
      for (let n = 0; n < 2; n++) {
        const { status, body, headers: answered } = await appWithoutStorage.send(user, png(), { headers })
        expect([status, !body.success && body.code]).toEqual([503, 'UNAVAILABLE'])
        expect(answered.get('retry-after')).toBe('5')
      }
      expect(await findUploads(fixture, user)).toEqual([])
      expect((await app.send(user, png(), { headers })).status).toBe(201)
      const { key } = await fixture.createUpload(user)
      expect((await fetch(`${appWithoutStorage.url}/files/${key}/a`)).status).toBe(503)
    } finally {
      await appWithoutStorage.close()
      unreachableStorage.close()
    }
  })
})
