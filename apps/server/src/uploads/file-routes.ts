import { once } from 'node:events'
import { pipeline, type Readable } from 'node:stream'
import { appErrors } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import { exactly } from '../integrations/exact-size.ts'
import { BODIES_AT_ONCE, type ByteRange, StorageAway } from '../integrations/storage.ts'
import { addressKey } from '../http/client-address.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { matchesEtag } from '../http/etag.ts'
import { isResponseFinished, onResponseFinished } from '../http/response-finished.ts'
import { rangeOf } from './byte-range.ts'
import { isKey } from './file-address.ts'
import { contentDisposition } from './file-name.ts'
import { isServedType, isShown } from './file-type.ts'
import { storing } from './keep-file.ts'
import { findUpload } from './commands.ts'

type Upload = NonNullable<Awaited<ReturnType<typeof findUpload>>>

/** A day, since a file may go with its work; work that is not published is asked for each time. */
const CACHED = { published: 'public, max-age=86400, immutable', other: 'private, no-cache' }

async function wantedUpload(deps: Deps, key: string): Promise<Upload> {
  const upload = isKey(key) ? await findUpload(deps.db, key) : undefined
  if (!upload) throw new AppError(appErrors.notFound)
  return upload
}

/** What makes a stranger's file harmless: its type from our own table, no sniffing, no script, no other site's pages. */
function describe(reply: FastifyReply, upload: Upload, etag: string): FastifyReply {
  const type = isServedType(upload.mimeType) ? upload.mimeType : null
  return reply.headers({
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(type && isShown(type) ? 'inline' : 'attachment', upload.originalName),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': upload.isPublished ? CACHED.published : CACHED.other,
    'last-modified': upload.createdAt.toUTCString(),
    'accept-ranges': 'bytes',
    etag,
  })
}

/** A range counts only of the file that the client knows. */
function wantedRange({ headers }: FastifyRequest, upload: Upload, etag: string) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? rangeOf(headers.range, upload.size) : null
}

/** The bytes asked for, once the first of them are there: a storage that fails later can only break off. */
async function readable({ storage }: Deps, { key }: Upload, range: ByteRange | null): Promise<Readable> {
  const object = await storing(storage.open(key, range ?? undefined))
  if (!object) throw new AppError(appErrors.notFound)
  await storing(
    once(object.body, 'readable').catch((error: unknown) => {
      throw new StorageAway(error)
    }),
  )
  return object.body
}

/** `GET /files/<key>/<name>`: a stored file, at the address that only those who were told it know. */
export const fileRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  // However many a few addresses ask for, dozens of others find one.
  const readers = createConcurrencyLimiter({
    perClient: BODIES_AT_ONCE / 4,
    reserved: BODIES_AT_ONCE / 4,
    max: BODIES_AT_ONCE,
    ownFault: appErrors.unavailable,
  })

  /** The bytes asked for, for as long as somebody is there to read them. */
  async function bodyFor(request: FastifyRequest, reply: FastifyReply, upload: Upload, range: ByteRange | null) {
    const { release } = await readers.acquire(addressKey(request.ip))
    onResponseFinished(request, reply, release)
    if (isResponseFinished(request, reply)) throw new AppError(appErrors.unavailable)
    const body = await readable(deps, upload, range)
    onResponseFinished(request, reply, () => body.destroy())
    return body
  }

  app.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key/:name?',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const upload = await wantedUpload(deps, request.params.key)
      const etag = `"${upload.id}"`
      if (matchesEtag(etag, request.headers['if-none-match'])) return describe(reply, upload, etag).code(304).send()
      const range = request.method === 'GET' ? wantedRange(request, upload, etag) : null
      if (range === 'unsatisfiable')
        return describe(reply, upload, etag)
          .code(416)
          .headers({ 'content-range': `bytes */${upload.size}`, 'content-length': 0 })
          .send()
      // Before the headers: a refusal must carry none of the file's.
      const body = request.method === 'GET' ? await bodyFor(request, reply, upload, range) : undefined
      const size = range ? range.end - range.start + 1 : upload.size
      void describe(reply, upload, etag).header('content-length', size)
      if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${upload.size}`)
      // A storage that has fewer bytes breaks the answer off: its reader would wait for the others.
      return reply.send(body && pipeline(body, exactly(size), () => {}))
    },
  })
}
