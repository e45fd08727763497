import { once } from 'node:events'
import { pipeline, type Readable } from 'node:stream'
import { appErrors } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import { enforceSize } from '../integrations/enforce-size.ts'
import { OPEN_BODIES_MAX, type ByteRange, StorageUnavailable } from '../integrations/storage.ts'
import { ipKey, siteKey } from '../http/client-ip.ts'
import { allowEveryOrigin } from '../http/cors.ts'
import { acquireAll, createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { matchesEtag } from '../http/etag.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { isResponseFinished, onResponseFinished } from '../http/response-finished.ts'
import { parseRange } from './byte-range.ts'
import { isKey } from './file-url.ts'
import { contentDisposition } from './file-name.ts'
import { isServedType, canShowInline } from './file-type.ts'
import { mapStorageErrors } from './store-file.ts'
import { thumbnailKey } from '../previews/preview.ts'
import { findUpload } from './queries.ts'

type Upload = NonNullable<Awaited<ReturnType<typeof findUpload>>>
/** The file to serve: an upload, or a thumbnail of it with the upload’s access. */
type ServedFile = Omit<Upload, 'id' | 'preview'> & { etag: string }

/** One day, because a file can be deleted with its submission; private files are revalidated each time. */
const CACHE_CONTROL = { published: 'public, max-age=86400, immutable', other: 'private, no-cache' }

async function findUploadOrThrow(deps: Deps, key: string): Promise<Upload> {
  const upload = isKey(key) ? await findUpload(deps.db, key) : undefined
  if (!upload) throw new AppError(appErrors.notFound)
  return upload
}

async function findThumbnailOrThrow(deps: Deps, key: string, name: string): Promise<ServedFile> {
  const { id, preview, ...upload } = await findUploadOrThrow(deps, key)
  const thumbnail = preview?.thumbnails.find((stored) => stored.name === name)
  if (!thumbnail) throw new AppError(appErrors.notFound)
  const { size, type } = thumbnail
  return { ...upload, key: thumbnailKey(key, name), originalName: name, size, mimeType: type, etag: `"${id}-${name}"` }
}

/** Sets headers that make untrusted files harmless: an allowed type, no sniffing, no scripts, no embedding by sites that CORS does not allow. */
function setFileHeaders({ config }: Deps, reply: FastifyReply, file: ServedFile): FastifyReply {
  const type = isServedType(file.mimeType) ? file.mimeType : null
  void reply.headers({
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(type && canShowInline(type) ? 'inline' : 'attachment', file.originalName),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': config.corsOrigins.length > 0 ? 'cross-origin' : 'same-site',
    'cache-control': file.isPublished ? CACHE_CONTROL.published : CACHE_CONTROL.other,
    'last-modified': file.createdAt.toUTCString(),
    'accept-ranges': 'bytes',
    etag: file.etag,
  })
  if (file.isPublished) allowEveryOrigin(reply)
  return reply
}

/** With `If-Range`, the range is used only if the client has the current version. */
function requestedRange({ headers }: FastifyRequest, { etag, size }: ServedFile) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? parseRange(headers.range, size) : null
}

/** Opens the body and waits for its first bytes, because a later storage error can only abort the response. */
async function openBody({ storage }: Deps, { key }: ServedFile, range: ByteRange | null): Promise<Readable> {
  const object = await mapStorageErrors(storage.open(key, range ?? undefined))
  if (!object) throw new AppError(appErrors.notFound)
  await mapStorageErrors(
    once(object.body, 'readable').catch((error: unknown) => {
      throw new StorageUnavailable(error)
    }),
  )
  return object.body
}

interface FileOptions {
  deps: Deps
  limitFirstQuery: RequestLimits['limitFirstQuery']
}

/** `GET /files/<key>/<name>`: a stored file, for anyone who has its unguessable URL; `…/thumbnails/<name>`: a thumbnail of it. */
export const fileRoutes: FastifyPluginAsync<FileOptions> = async (app, { deps, limitFirstQuery }) => {
  // Per IP address and per site, so that a few of them cannot use all bodies.
  const ownError = appErrors.unavailable
  const addresses = createConcurrencyLimiter({ perClient: OPEN_BODIES_MAX / 4, max: Infinity, ownError })
  const sites = createConcurrencyLimiter({
    perClient: (OPEN_BODIES_MAX * 3) / 8,
    reserved: OPEN_BODIES_MAX / 4,
    max: OPEN_BODIES_MAX,
    ownError,
  })

  /** Opens the body and destroys it when the client disconnects. */
  async function openBodyForResponse(
    request: FastifyRequest,
    reply: FastifyReply,
    file: ServedFile,
    range: ByteRange | null,
  ) {
    const { release } = await acquireAll([
      [addresses, ipKey(request.ip)],
      [sites, siteKey(request.ip)],
    ])
    onResponseFinished(request, reply, release)
    if (isResponseFinished(request, reply)) throw new AppError(appErrors.unavailable)
    const body = await openBody(deps, file, range)
    onResponseFinished(request, reply, () => body.destroy())
    return body
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, file: ServedFile) {
    if (matchesEtag(file.etag, request.headers['if-none-match']))
      return setFileHeaders(deps, reply, file).code(304).send()
    const range = request.method === 'GET' ? requestedRange(request, file) : null
    if (range === 'unsatisfiable') {
      if (file.isPublished) allowEveryOrigin(reply)
      void reply.header('content-range', `bytes */${file.size}`)
      throw new AppError(appErrors.rangeNotSatisfiable)
    }
    // Before the headers are set: an error response must have none of the file's headers.
    const body = request.method === 'GET' ? await openBodyForResponse(request, reply, file, range) : undefined
    const size = range ? range.end - range.start + 1 : file.size
    void setFileHeaders(deps, reply, file).header('content-length', size)
    if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
    // Aborts the response if the object is shorter than recorded; the client would wait for the rest.
    return reply.send(body && pipeline(body, enforceSize(size), () => {}))
  }

  const route = { method: ['GET', 'HEAD'], exposeHeadRoute: false }
  // Also under `/api`, for clients generated from the document, whose server ends in it.
  for (const prefix of ['', '/api']) {
    app.route<{ Params: { key: string } }>({
      ...route,
      url: `${prefix}/files/:key/:name?`,
      handler: async (request, reply) => {
        const { id, ...upload } = await limitFirstQuery(request, reply, () =>
          findUploadOrThrow(deps, request.params.key),
        )
        return serve(request, reply, { ...upload, etag: `"${id}"` })
      },
    })
    app.route<{ Params: { key: string; name: string } }>({
      ...route,
      url: `${prefix}/files/:key/thumbnails/:name`,
      handler: async (request, reply) => {
        const { key, name } = request.params
        return serve(request, reply, await limitFirstQuery(request, reply, () => findThumbnailOrThrow(deps, key, name)))
      },
    })
  }
}
