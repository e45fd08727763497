import { appErrors, Id, limits, withMessage } from '@community/contract'
import { inTransaction } from '@community/db'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { AuthenticatedContext, CreateContext, Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { success } from '../http/envelope.ts'
import { onResponseFinished } from '../http/response-finished.ts'
import { enqueue, wakeWorkers } from '../jobs/queue.ts'
import { assertAdmin } from '../personal-tokens/assert-scope.ts'
import { removeObjects } from '../uploads/remove-objects.ts'
import { lockAdmin } from '../users/lock-user.ts'
import { lockImport, setParts } from './import/commands.ts'
import { isProductEmpty } from './import/imports.ts'
import { findImport, IMPORT_JOB, importJobKey, partKey, sizeOfPart, viewImport } from './import/queries.ts'

const PartPath = z.object({ id: Id, part: z.coerce.number().int().nonnegative() })
/** Parts held in memory by this process, at most. */
const CONCURRENT_MAX = 2

export const notBytes = withMessage(appErrors.wrongContentType, 'Send the part as application/octet-stream')

/** Stores a part in the storage. A part that is stored already is acknowledged again. */
async function storePart(ctx: AuthenticatedContext, id: string, part: number, bytes: Buffer) {
  const { db, deps } = ctx
  const current = await findImport(db)
  if (current?.id !== id) throw new AppError(appErrors.importMissing)
  if (part === 0 && !(await isProductEmpty(db))) throw new AppError(appErrors.productNotEmpty)
  if (bytes.length === 0 || bytes.length !== sizeOfPart(current, part)) throw new AppError(appErrors.importPartWrong)
  if (part < current.parts) return current
  if (part !== current.parts) throw new AppError(appErrors.importPartWrong)
  const key = partKey(id, part)
  await deps.storage.put(key, bytes, { contentType: 'application/octet-stream', size: bytes.length })
  const isLast = sizeOfPart(current, part + 1) === 0
  const stored = await inTransaction(db, async (tx) => {
    await lockAdmin(tx, ctx)
    const locked = await lockImport(tx)
    if (locked?.id !== id) return null
    // Another request has stored the same part meanwhile.
    if (locked.parts !== part) return locked
    if (isLast) await enqueue(tx, deps, { kind: IMPORT_JOB, key: importJobKey(id), payload: { id } })
    return setParts(tx, locked, part + 1, isLast)
  })
  if (!stored) {
    await removeObjects(deps, [key])
    throw new AppError(appErrors.importMissing)
  }
  if (isLast) wakeWorkers()
  return stored
}

/** `PUT /admin/import/{id}/parts/{part}`: the bytes of an archive, in order. */
export const importPartRoutes: FastifyPluginAsync<{ deps: Deps; createContext: CreateContext }> = async (
  app,
  { createContext },
) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: limits.IMPORT_PART_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(new AppError(notBytes)))
  const contexts = new WeakMap<object, AuthenticatedContext>()
  const limiter = createConcurrencyLimiter({ perClient: 1, max: CONCURRENT_MAX, maxWaitMs: 5000 })
  app.put(
    '/admin/import/:id/parts/:part',
    {
      // In onRequest, so that unauthorized clients cannot fill the memory.
      async onRequest(request, reply) {
        const ctx = await createContext(request, reply)
        assertAdmin(ctx)
        const { release } = await limiter.acquire(ctx.user.id)
        onResponseFinished(request, reply, release)
        contexts.set(request, ctx)
      },
    },
    async (request) => {
      const ctx = contexts.get(request)
      if (!ctx) throw new Error('the onRequest hook set no context')
      const { data: path } = PartPath.safeParse(request.params)
      if (!path) throw new AppError(appErrors.importMissing)
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return success('Part stored', { import: viewImport(await storePart(ctx, path.id, path.part, bytes)) })
    },
  )
}
