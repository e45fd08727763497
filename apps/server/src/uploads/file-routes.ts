import { once } from 'node:events'
import { pipeline, type Readable } from 'node:stream'
import { appErrors } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import { enforceSize } from '../integrations/enforce-size.ts'
import { OPEN_BODIES_MAX, type ByteRange, StorageUnavailable } from '../integrations/storage.ts'
import { addressKey } from '../http/client-address.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { matchesEtag } from '../http/etag.ts'
import { isResponseFinished, onResponseFinished } from '../http/response-finished.ts'
import { parseRange } from './byte-range.ts'
import { isKey } from './file-url.ts'
import { contentDisposition } from './file-name.ts'
import { isServedType, canShowInline } from './file-type.ts'
import { mapStorageErrors } from './store-file.ts'
import { findUpload } from './commands.ts'

type Upload = NonNullable<Awaited<ReturnType<typeof findUpload>>>

/** One day, because a file can be deleted with its submission; private files are revalidated each time. */
const CACHE_CONTROL = { published: 'public, max-age=86400, immutable', other: 'private, no-cache' }

async function findUploadOrThrow(deps: Deps, key: string): Promise<Upload> {
  const upload = isKey(key) ? await findUpload(deps.db, key) : undefined
  if (!upload) throw new AppError(appErrors.notFound)
  return upload
}

/** Sets headers that make untrusted files harmless: an allowed type, no sniffing, no scripts, no cross-site embedding. */
function setFileHeaders(reply: FastifyReply, upload: Upload, etag: string): FastifyReply {
  const type = isServedType(upload.mimeType) ? upload.mimeType : null
  return reply.headers({
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(
      type && canShowInline(type) ? 'inline' : 'attachment',
      upload.originalName,
    ),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': upload.isPublished ? CACHE_CONTROL.published : CACHE_CONTROL.other,
    'last-modified': upload.createdAt.toUTCString(),
    'accept-ranges': 'bytes',
    etag,
  })
}

/** With `If-Range`, the range is used only if the client has the current version. */
function requestedRange({ headers }: FastifyRequest, upload: Upload, etag: string) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? parseRange(headers.range, upload.size) : null
}

/** Opens the body and waits for its first bytes, because a later storage error can only abort the response. */
async function openBody({ storage }: Deps, { key }: Upload, range: ByteRange | null): Promise<Readable> {
  const object = await mapStorageErrors(storage.open(key, range ?? undefined))
  if (!object) throw new AppError(appErrors.notFound)
  await mapStorageErrors(
    once(object.body, 'readable').catch((error: unknown) => {
      throw new StorageUnavailable(error)
    }),
  )
  return object.body
}

/** `GET /files/<key>/<name>`: a stored file, for anyone who has its unguessable URL. */
export const fileRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  // Per-client limit, so that a few IP addresses cannot use all bodies.
  const downloadLimiter = createConcurrencyLimiter({
    perClient: OPEN_BODIES_MAX / 4,
    reserved: OPEN_BODIES_MAX / 4,
    max: OPEN_BODIES_MAX,
    ownError: appErrors.unavailable,
  })

  /** Opens the body and destroys it when the client disconnects. */
  async function openBodyForResponse(
    request: FastifyRequest,
    reply: FastifyReply,
    upload: Upload,
    range: ByteRange | null,
  ) {
    const { release } = await downloadLimiter.acquire(addressKey(request.ip))
    onResponseFinished(request, reply, release)
    if (isResponseFinished(request, reply)) throw new AppError(appErrors.unavailable)
    const body = await openBody(deps, upload, range)
    onResponseFinished(request, reply, () => body.destroy())
    return body
  }

  app.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key/:name?',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const upload = await findUploadOrThrow(deps, request.params.key)
      const etag = `"${upload.id}"`
      if (matchesEtag(etag, request.headers['if-none-match']))
        return setFileHeaders(reply, upload, etag).code(304).send()
      const range = request.method === 'GET' ? requestedRange(request, upload, etag) : null
      if (range === 'unsatisfiable')
        return setFileHeaders(reply, upload, etag)
          .code(416)
          .headers({ 'content-range': `bytes */${upload.size}`, 'content-length': 0 })
          .send()
      // Before the headers are set: an error response must have none of the file's headers.
      const body = request.method === 'GET' ? await openBodyForResponse(request, reply, upload, range) : undefined
      const size = range ? range.end - range.start + 1 : upload.size
      void setFileHeaders(reply, upload, etag).header('content-length', size)
      if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${upload.size}`)
      // Aborts the response if the object is shorter than recorded; the client would wait for the rest.
      return reply.send(body && pipeline(body, enforceSize(size), () => {}))
    },
  })
}
