import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdf, png, zip } from '../../test/sample-files.ts'
import { openUploadApp, type UploadApp } from '../../test/upload-app.ts'
import { openWorkStage, type WorkStage } from '../../test/work-stage.ts'
import type { Caller } from '../context.ts'

let stage: WorkStage
let app: UploadApp
let user: Caller
beforeAll(async () => {
  stage = await openWorkStage()
  app = await openUploadApp(stage)
  user = await stage.member()
})
afterAll(async () => {
  await app.close()
  await stage.close()
})

const get = (secureUrl: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(app.url + new URL(secureUrl).pathname, { headers, method })

describe('a stored file', () => {
  it.each([
    ['a picture', png(300), 'صورة.png', 'image/png', 'inline'],
    ['a document', pdf(300), 'Rapport été.pdf', 'application/pdf', 'inline'],
    ['an archive', zip([{ name: 'a' }]), 'code.zip', 'application/zip', 'attachment'],
  ])('comes back byte for byte and harmless: %s', async (_what, bytes, name, type, kind) => {
    const file = await app.stored(user, bytes, name)
    const answer = await get(file.secureUrl)
    expect(answer.status).toBe(200)
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^${kind}; filename=".+"; filename\\*=UTF-8''${encodeURIComponent(name)}$`),
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-site')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('is found by its key alone; another key is nothing', async () => {
    const { secureUrl } = await app.stored(user, png(), 'a.png')
    const [, , key = ''] = new URL(secureUrl).pathname.split('/')
    for (const path of [`/files/${key}`, `/files/${key}/`, `/files/${key}/evil.html`]) {
      const answer = await fetch(app.url + path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
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
      const answer = await fetch(`${app.url}/files/${other}/a.png`)
      expect([other, answer.status]).toEqual([other, 404])
      expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
    }
  })

  it('answers HEAD with the headers alone', async () => {
    const { secureUrl } = await app.stored(user, png(777), 'a.png')
    const answer = await get(secureUrl, { range: 'bytes=0-1' }, 'HEAD')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '777'])
    expect(await answer.text()).toBe('')
  })

  it('answers one range, and all of it to odd ones', async () => {
    const bytes = png(1000)
    const { secureUrl } = await app.stored(user, bytes, 'a.png')
    const part = async (range: string) => {
      const answer = await get(secureUrl, { range })
      const body = Buffer.from(await answer.arrayBuffer())
      return [answer.status, answer.headers.get('content-range'), answer.headers.get('content-length'), body.length]
    }
    expect(await part('bytes=0-99')).toEqual([206, 'bytes 0-99/1000', '100', 100])
    expect(await part('bytes=990-')).toEqual([206, 'bytes 990-999/1000', '10', 10])
    expect(await part('bytes=-5')).toEqual([206, 'bytes 995-999/1000', '5', 5])
    expect(await part('bytes=1000-')).toEqual([416, 'bytes */1000', '0', 0])
    expect(await part('bytes=0-1,5-6')).toEqual([200, null, '1000', 1000])
    const middle = await get(secureUrl, { range: 'bytes=4-9' })
    expect(Buffer.from(await middle.arrayBuffer())).toEqual(Buffer.from(bytes.subarray(4, 10)))
  })

  it('is not sent again to those who have it', async () => {
    const { secureUrl } = await app.stored(user, png(1000), 'a.png')
    const etag = (await get(secureUrl)).headers.get('etag') ?? ''
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const answer = await get(secureUrl, { 'if-none-match': known })
      expect([answer.status, await answer.text()]).toEqual([304, ''])
    }
    expect((await get(secureUrl, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(secureUrl, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get(secureUrl, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  it('may be cached by all once its work is approved, by nobody before', async () => {
    const team = await stage.team()
    const file = await app.stored(team.chef, pdf(), 'a.pdf')
    const cacheOf = async () => (await get(file.secureUrl)).headers.get('cache-control')
    expect(await cacheOf()).toBe('private, no-cache')
    const { id } = await stage.challenge()
    const work = await stage.applied(team, id, { type: 'upload', content: file.secureUrl })
    expect(await cacheOf()).toBe('private, no-cache')
    await stage.as(stage.judge).evaluate({ id: work, status: 'approved', score: 70 })
    expect(await cacheOf()).toBe('public, max-age=86400, immutable')
  })

  it('whose object is gone is not found', async () => {
    const { key, secureUrl } = await stage.upload(user)
    await stage.storage.remove(key)
    expect((await get(secureUrl)).status).toBe(404)
  })
})
