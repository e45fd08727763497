import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { buildApp } from '../app.ts'
import { withProduct } from '../mails/app-name.ts'
import { readWebFiles } from './static-files.ts'

const PRODUCT = { appName: 'Community', appUrl: 'https://community.example' }
const BUILT_PAGE = '<!doctype html><title>Community</title>'
const PAGE = withProduct(BUILT_PAGE, PRODUCT)
const SCRIPT = 'export const community = true\n'.repeat(20)
const ASSET = '/assets/index-a1b2c3d4.js'
const WORKER = '/assets/worker-sum-a1b2c3d4.js'

const folder = temporaryFolder()
await mkdir(path.join(folder, 'assets'))
await mkdir(path.join(folder, '.cache'))
const write = (name: string, content: string | Buffer) => writeFile(path.join(folder, name), content)
await write('index.html', BUILT_PAGE)
await write(ASSET, SCRIPT)
await write(WORKER, SCRIPT)
await write(`${ASSET}.br`, brotliCompressSync(SCRIPT))
await write(`${ASSET}.gz`, gzipSync(SCRIPT))
await write('boot.js', 'document.title')
await write('app.webmanifest', JSON.stringify({ id: '/', name: 'Community' }))
await write('secrets.env', 'PASSWORD=1')
await write('.cache/index.html', 'hidden')
const server = await openTestServer()
const app = await buildApp(server.deps, { web: await readWebFiles(folder, PRODUCT) })
afterAll(async () => {
  await app.close()
  await server.close()
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('a script', () => {
  it('has no headers that concern documents, unless it is a worker', async () => {
    const headersOf = async (url: string) => (await get(url)).headers
    const [script, worker, page] = [await headersOf(ASSET), await headersOf(WORKER), await headersOf('/')]
    expect(new Set(Object.keys(worker))).toEqual(new Set(Object.keys(page)))
    expect(Object.keys(page).filter((name) => !(name in script))).toEqual(
      expect.arrayContaining(['content-security-policy', 'permissions-policy', 'x-frame-options']),
    )
    expect(script).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.any(String),
    })
  })
})

describe('the page', () => {
  it.each(['/', '/auth/google-otp?email=a%40b.ma&name=Nour', '/?team=1'])('serves %s with no-cache', async (url) => {
    const { statusCode, headers, body } = await get(url)
    expect([statusCode, body]).toEqual([200, PAGE])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none';")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('responds 304 to a matching ETag, strong or weak', async () => {
    const tag = String((await get('/')).headers.etag)
    for (const ifNoneMatch of [tag, tag.replace('W/', ''), `"other", ${tag}`]) {
      const { statusCode, headers, body } = await get('/', { 'if-none-match': ifNoneMatch })
      expect([statusCode, body, headers.etag]).toEqual([304, '', tag])
      expect(headers['cache-control']).toBe('no-cache')
    }
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('contains the escaped product name, also when compressed', async () => {
    const plain = await readWebFiles(folder, PRODUCT)
    const named = await readWebFiles(folder, { ...PRODUCT, appName: 'Atlas & <Rif>' })
    const page = named.get('/index.html')
    const html = page?.identity.toString() ?? ''
    const name = 'Atlas &#38; &#60;Rif&#62;'
    expect(html).toContain(`<title>${name}</title><meta name="application-name" content="${name}">`)
    expect(html).toContain(`<meta name="apple-mobile-web-app-title" content="${name}">`)
    expect(html).toContain(
      `<meta property="og:title" content="${name}"><meta property="og:site_name" content="${name}">`,
    )
    expect(html).toContain('<meta property="og:image" content="https://community.example/icon-512.png">')
    expect(page?.etag).not.toBe(plain.get('/index.html')?.etag)
    const [br, gzip] = page?.compressed.map(({ bytes }) => bytes) ?? []
    expect([br && brotliDecompressSync(br).toString(), gzip && gunzipSync(gzip).toString()]).toEqual([html, html])
    // The web app translates the default name.
    expect(plain.get('/index.html')?.identity.toString()).not.toContain('application-name')
    const manifest = JSON.parse(named.get('/app.webmanifest')?.identity.toString() ?? '')
    expect(manifest).toEqual({ id: '/', name: 'Atlas & <Rif>', short_name: 'Atlas & <Rif>' })
  })

  it('responds to HEAD without a body', async () => {
    const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: '/' })
    expect([statusCode, body, headers['content-length']]).toEqual([200, '', String(PAGE.length)])
  })
})

describe('files', () => {
  it('caches hashed files for a year and revalidates others', async () => {
    const { statusCode, headers, body } = await get(ASSET)
    expect([statusCode, body]).toEqual([200, SCRIPT])
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/boot.js')).headers['cache-control']).toBe('no-cache')
  })

  it.each<[accepted: string, coding?: 'br' | 'gzip']>([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0.5', 'br'],
    ['*', 'br'],
    ['BR', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.1, br;q=0', 'gzip'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['deflate, gzip;q=1.0, brotli', 'gzip'],
    [''],
    ['identity'],
    ['br;q=0'],
    ['gzip; q=0, br; q=0.0'],
    ['*;q=0'],
    ['brotli, x-gzip'],
    ['gzip;q=, br;q=x'],
  ])('chooses the coding by Accept-Encoding: %j', async (accepted, coding) => {
    const { headers, rawPayload } = await get(ASSET, { 'accept-encoding': accepted })
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'accept-encoding'])
    expect(headers['content-length']).toBe(String(rawPayload.byteLength))
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[coding ?? 'none']
    const unpacked = unpack(rawPayload)
    expect(unpacked.toString()).toBe(SCRIPT)
    expect(rawPayload.byteLength < SCRIPT.length).toBe(coding !== undefined)
  })

  it('sends files without a compressed variant uncompressed', async () =>
    expect((await get('/boot.js', { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBeUndefined())

  it.each([
    '/assets/gone-12345678.js',
    `${ASSET}.br`,
    `${ASSET}.gz`,
    '/secrets.env',
    '/.cache/index.html',
    '/..%2fpackage.json',
    '/teams',
  ])('responds 404 to %s', async (url) => {
    const { statusCode, headers, body } = await get(url)
    expect([statusCode, JSON.parse(body).code, headers['cache-control']]).toEqual([404, 'NOT_FOUND', 'no-store'])
  })

  it('throws without a built web app', async () => {
    await expect(readWebFiles(path.join(folder, 'assets'), PRODUCT)).rejects.toThrow(/No built web app/)
  })
})
