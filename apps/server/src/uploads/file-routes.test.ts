import { once } from 'node:events'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkResponse } from '../../test/response-checker.ts'
import { pdf, png, zip } from '../../test/sample-files.ts'
import { openUploadApp, openUploadFixture, type UploadApp } from '../../test/upload-app.ts'

const { fixture, app } = await openUploadFixture()
const user = await fixture.createMember()

const get = (secureUrl: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(app.url + new URL(secureUrl).pathname, { headers, method })

describe('a stored file', () => {
  it.each([
    ['a picture', png(300), 'صورة.png', 'image/png', 'inline'],
    ['a document', pdf(300), 'Rapport été.pdf', 'application/pdf', 'inline'],
    ['an archive', zip([{ name: 'a' }]), 'code.zip', 'application/zip', 'attachment'],
  ])('is served unchanged with safe headers: %s', async (_what, bytes, name, type, kind) => {
    const file = await app.uploadFile(user, bytes, name)
    const response = await get(file.secureUrl)
    expect(response.status).toBe(200)
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes)).toBe(0)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^${kind}; filename=".+"; filename\\*=UTF-8''${encodeURIComponent(name)}$`),
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-site')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('is found by its key only', async () => {
    const { secureUrl } = await app.uploadFile(user, png(), 'a.png')
    const [, , key = ''] = new URL(secureUrl).pathname.split('/')
    for (const path of [`/files/${key}`, `/files/${key}/`, `/files/${key}/evil.html`]) {
      const response = await fetch(app.url + path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
    }
    const wrong = [
      key.slice(0, -1),
      `${key}a`,
      key.toUpperCase(),
      '..%2F..%2Fetc%2Fpasswd',
      '%00',
      `20260101-${'a'.repeat(32)}`,
    ]
    for (const other of wrong) {
      const response = await fetch(`${app.url}/files/${other}/a.png`)
      expect([other, response.status]).toEqual([other, 404])
      expect(await response.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
    }
  })

  it('answers HEAD with headers only', async () => {
    const { secureUrl } = await app.uploadFile(user, png(777), 'a.png')
    const response = await get(secureUrl, { range: 'bytes=0-1' }, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '777'])
    expect(await response.text()).toBe('')
  })

  it('serves a single range, and the whole file for unsupported ranges', async () => {
    const bytes = png(1000)
    const { secureUrl } = await app.uploadFile(user, bytes, 'a.png')
    const readRange = async (range: string) => {
      const response = await get(secureUrl, { range })
      const body = Buffer.from(await response.arrayBuffer())
      return [
        response.status,
        response.headers.get('content-range'),
        response.headers.get('content-length'),
        body.length,
      ]
    }
    expect(await readRange('bytes=0-99')).toEqual([206, 'bytes 0-99/1000', '100', 100])
    expect(await readRange('bytes=990-')).toEqual([206, 'bytes 990-999/1000', '10', 10])
    expect(await readRange('bytes=-5')).toEqual([206, 'bytes 995-999/1000', '5', 5])
    expect(await readRange('bytes=0-1,5-6')).toEqual([200, null, '1000', 1000])
    const middle = await get(secureUrl, { range: 'bytes=4-9' })
    expect(Buffer.from(await middle.arrayBuffer())).toEqual(Buffer.from(bytes.subarray(4, 10)))
  })

  it('answers a range after the end with the size of the file', async () => {
    const { secureUrl } = await app.uploadFile(user, png(1000), 'a.png')
    const response = await get(secureUrl, { range: 'bytes=1000-' })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
    checkResponse('GET', '/files/{key}/{name}', response.status, await response.json())
  })

  it('answers 304 to a matching ETag', async () => {
    const { secureUrl } = await app.uploadFile(user, png(1000), 'a.png')
    const etag = (await get(secureUrl)).headers.get('etag') ?? ''
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const response = await get(secureUrl, { 'if-none-match': known })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
    expect((await get(secureUrl, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(secureUrl, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get(secureUrl, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  it('is publicly cacheable, and readable from every origin, once its submission is approved, not before', async () => {
    const team = await fixture.createTeam()
    const file = await app.uploadFile(team.chef, pdf(), 'a.pdf')
    const cacheOf = async () => (await get(file.secureUrl)).headers.get('cache-control')
    const originsOf = async () => (await get(file.secureUrl)).headers.get('access-control-allow-origin')
    expect(await originsOf()).toBeNull()
    expect(await cacheOf()).toBe('private, no-cache')
    const { id } = await fixture.createChallenge()
    const work = await fixture.applyWithLink(team, id, { type: 'upload', content: file.secureUrl })
    expect(await cacheOf()).toBe('private, no-cache')
    await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score: 70 })
    expect(await cacheOf()).toBe('public, max-age=86400, immutable')
    expect(await originsOf()).toBe('*')
  })

  it('answers 404 when its object is missing', async () => {
    const { key, secureUrl } = await fixture.createUpload(user)
    await fixture.storage.remove(key)
    expect((await get(secureUrl)).status).toBe(404)
  })
})

describe('open file bodies', () => {
  /** Open bodies of the storage. */
  const openBodies = new Set<Readable>()
  let observedApp: UploadApp
  let address: string
  beforeAll(async () => {
    observedApp = await openUploadApp(fixture, {
      ...fixture.storage,
      async open(key, range) {
        const found = await fixture.storage.open(key, range)
        if (found) openBodies.add(found.body.once('close', () => openBodies.delete(found.body)))
        return found
      },
    })
    const file = await observedApp.uploadFile(user, pdf(9_000_000), 'a.pdf')
    address = new URL(file.secureUrl).pathname
  })
  afterAll(() => observedApp.close())

  const sendRequests = async (times: number) => {
    const socket = connect(observedApp.port, '127.0.0.1').pause()
    await once(socket, 'connect')
    socket.on('error', () => {}).write(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
    return socket
  }

  it('are closed on disconnect, also for a hundred pipelined requests', async () => {
    const socket = await sendRequests(100)
    await expect.poll(() => openBodies.size).toBeGreaterThan(10)
    socket.resetAndDestroy()
    await expect.poll(() => openBodies.size, { timeout: 8000 }).toBe(0)
    expect((await fetch(observedApp.url + address, { method: 'HEAD' })).status).toBe(200)
    expect((await (await fetch(observedApp.url + address)).arrayBuffer()).byteLength).toBe(9_000_000)
  }, 20_000)

  it('are limited per IP address; further readers get 503 and uploads continue', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => sendRequests(1)))
    await expect.poll(() => openBodies.size).toBe(50)
    const rejected = await fetch(observedApp.url + address)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await rejected.json()).toMatchObject({ code: 'UNAVAILABLE', cooldown: 2 })
    expect(openBodies.size).toBe(50)
    expect((await observedApp.send(user, png())).status).toBe(201)
    sockets.pop()?.destroy()
    expect((await (await fetch(observedApp.url + address)).arrayBuffer()).byteLength).toBe(9_000_000)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => openBodies.size).toBe(0)
  }, 20_000)
})
