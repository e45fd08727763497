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

/** One day, because a file can be deleted with its submission; private files are revalidated each time. */
const CACHED = { published: 'public, max-age=86400, immutable', other: 'private, no-cache' }

async function wantedUpload(deps: Deps, key: string): Promise<Upload> {
  const upload = isKey(key) ? await findUpload(deps.db, key) : undefined
  if (!upload) throw new AppError(appErrors.notFound)
  return upload
}

/** Sets headers that make untrusted files harmless: an allowed type, no sniffing, no scripts, no cross-site embedding. */
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

/** With `If-Range`, the range is used only if the client has the current version. */
function wantedRange({ headers }: FastifyRequest, upload: Upload, etag: string) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? rangeOf(headers.range, upload.size) : null
}

/** Opens the body and waits for its first bytes, because a later storage error can only abort the response. */
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

/** `GET /files/<key>/<name>`: a stored file; whoever has its unguessable URL may read it. */
export const fileRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  // Per-client limit, so that a few IP addresses cannot use all bodies.
  const readers = createConcurrencyLimiter({
    perClient: BODIES_AT_ONCE / 4,
    reserved: BODIES_AT_ONCE / 4,
    max: BODIES_AT_ONCE,
    ownFault: appErrors.unavailable,
  })

  /** Opens the body and destroys it when the client disconnects. */
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
      // Before the headers are set: an error response must have none of the file's headers.
      const body = request.method === 'GET' ? await bodyFor(request, reply, upload, range) : undefined
      const size = range ? range.end - range.start + 1 : upload.size
      void describe(reply, upload, etag).header('content-length', size)
      if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${upload.size}`)
      // Aborts the response if the object is shorter than recorded; the client would wait for the rest.
      return reply.send(body && pipeline(body, exactly(size), () => {}))
    },
  })
}
