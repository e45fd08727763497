import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { url } from '../site.ts'
import { test } from '../test.ts'

/** As it comes over the wire: fetch would unpack it. */
async function requestRaw(path: string, accepted: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL(path, url), { headers: { 'accept-encoding': accepted, ...headers } }, resolve).on('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

async function findHashedFiles(): Promise<string[]> {
  const page = (await requestRaw('/', 'identity')).bytes.toString()
  const files = [...page.matchAll(/(?:src|href|content)="([^"]*\/assets\/[^"]+)"/g)].flatMap(([, list = '']) =>
    list.split(' '),
  )
  return [...new Set(files)].filter((file) => /\.(js|css)$/.test(file))
}

test('the built files are compressed as the browser accepts, and cached for a year', async () => {
  const files = await findHashedFiles()
  expect(files.length).toBeGreaterThan(4)
  for (const path of ['/', '/boot.js', ...files]) {
    const plain = await requestRaw(path, 'identity')
    // Files that fit into one packet are not compressed.
    if (plain.bytes.length < 1024) continue
    const [brotli, gzip] = [await requestRaw(path, 'gzip, deflate, br, zstd'), await requestRaw(path, 'gzip')]
    expect([path, plain.status, plain.headers['content-encoding']]).toEqual([path, 200, undefined])
    expect([path, brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([path, 'br', 'gzip'])
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect([path, brotli.bytes.length < gzip.bytes.length, gzip.bytes.length < plain.bytes.length / 1.5]).toEqual([
      path,
      true,
      true,
    ])
    for (const { headers } of [plain, brotli, gzip]) {
      expect(headers.vary).toBe('accept-encoding')
      expect(headers.etag).toBe(plain.headers.etag)
      expect(headers['content-type']).toBe(plain.headers['content-type'])
      expect(headers['cache-control']).toBe(files.includes(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    }
    const revalidated = await requestRaw(path, 'br', { 'if-none-match': String(brotli.headers.etag) })
    expect([path, revalidated.status, revalidated.bytes.length]).toEqual([path, 304, 0])
  }
})

test('fonts are not compressed again', async () => {
  const page = (await requestRaw('/', 'identity')).bytes.toString()
  const [font = ''] = /\/assets\/[\w-]+\.woff2/.exec(page) ?? []
  const { status, headers } = await requestRaw(font, 'br, gzip')
  expect([status, headers['content-type'], headers['content-encoding']]).toEqual([200, 'font/woff2', undefined])
})
