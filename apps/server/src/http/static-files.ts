import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { appErrors } from '@community/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Product, withName, withProduct } from '../mails/app-name.ts'
import { AppError } from '../errors.ts'
import { acceptsCoding } from './content-coding.ts'
import { NO_CORS } from './cors.ts'
import { createEtag, matchesEtag } from './etag.ts'
import { removeDocumentHeaders } from './security-headers.ts'

interface WebFile {
  type: string
  etag: string
  identity: Buffer
  /** Precompressed by the build, in order of preference. */
  compressed: { coding: string; bytes: Buffer }[]
  isHashed: boolean
  isDocument: boolean
}
export type WebFiles = ReadonlyMap<string, WebFile>

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** Content codings and the suffixes of their files, in order of preference. */
const CODINGS = { br: '.br', gzip: '.gz' }
const PAGE = '/index.html'
const MANIFEST = '/app.webmanifest'
/** The directory of the files whose names contain a content hash. */
const ASSETS = '/assets/'
/** Files that no browser treats as documents. */
const SUBRESOURCE = /^\/assets\/(?!worker-).+\.(js|css|woff2|png)$/
/** Paths that serve the page. The app routes by the URL's hash. */
const PAGES = ['/', '/auth/google-otp']

/** Not the best: for 250 bytes less, each start would take 20 ms more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Changes the text of a file, and compresses it again. */
function withText(file: WebFile, change: (text: string) => string): WebFile {
  const identity = Buffer.from(change(file.identity.toString()))
  const compressed = [
    { coding: 'br', bytes: brotliCompressSync(identity, BROTLI) },
    { coding: 'gzip', bytes: gzipSync(identity, { level: 9 }) },
  ]
  return { ...file, etag: createEtag(identity), identity, compressed }
}

/** Reads the built web app into memory: a megabyte, compressed when it was built (`.br` and `.gz` beside the file). */
export async function readWebFiles(folder: string, product: Product): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name)),
  )
  const files = new Map<string, WebFile>()
  for (const file of names) {
    const type = TYPES[path.extname(file)]
    const url = `/${path.relative(folder, file).split(path.sep).join('/')}`
    if (!type || url.startsWith('/.')) continue
    // Synchronous: no requests are served yet, and the thread pool takes four times the CPU time for small files.
    const identity = readFileSync(file)
    const compressed = Object.entries(CODINGS)
      .filter(([, ending]) => names.has(file + ending))
      .map(([coding, ending]) => ({ coding, bytes: readFileSync(file + ending) }))
    files.set(url, {
      type,
      etag: createEtag(identity),
      identity,
      compressed,
      isHashed: url.startsWith(ASSETS),
      isDocument: !SUBRESOURCE.test(url),
    })
  }
  const page = files.get(PAGE)
  if (!page) throw new Error(`No built web app in ${folder}`)
  files.set(
    PAGE,
    withText(page, (html) => withProduct(html, product)),
  )
  const manifest = files.get(MANIFEST)
  if (manifest)
    files.set(
      MANIFEST,
      withText(manifest, (json) => withName(json, product)),
    )
  return files
}

function send(request: FastifyRequest, reply: FastifyReply, file: WebFile) {
  const { 'accept-encoding': accepted = '', 'if-none-match': ifNoneMatch } = request.headers
  if (!file.isDocument) removeDocumentHeaders(reply.raw)
  reply
    .header('content-type', file.type)
    .header('vary', 'accept-encoding')
    // Weak, because all content codings share it.
    .header('etag', `W/${file.etag}`)
    .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (matchesEtag(file.etag, ifNoneMatch)) return reply.code(304).send()
  const best = file.compressed.find(({ coding }) => acceptsCoding(accepted, coding))
  return best ? reply.header('content-encoding', best.coding).send(best.bytes) : reply.send(file.identity)
}

/** Serves the web app. Hashed files are cached for a year, all others are revalidated. */
export function registerStaticFiles(app: FastifyInstance, files: WebFiles): void {
  const page = files.get(PAGE) as WebFile
  for (const url of PAGES) app.get(url, NO_CORS, (request, reply) => send(request, reply, page))
  for (const [url, file] of files)
    if (file !== page && !file.isHashed) app.get(url, NO_CORS, (request, reply) => send(request, reply, file))
  // A wildcard route, because a hundred routes take a tenth of the start time.
  app.get<{ Params: { '*': string } }>(`${ASSETS}*`, NO_CORS, (request, reply) => {
    const file = files.get(ASSETS + request.params['*'])
    if (!file) throw new AppError(appErrors.notFound)
    return send(request, reply, file)
  })
}
