import multipart from '@fastify/multipart'
import { appErrors, limits, withMessage, type StoredFile } from '@community/contract'
import { onlyRow } from '@community/db'
import { TRPCError } from '@trpc/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context, CreateContext, Deps, AuthenticatedContext } from '../context.ts'
import { success } from '../http/envelope.ts'
import { AppError } from '../errors.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { assertScope } from '../personal-tokens/assert-scope.ts'
import { malformedForm, moreThanOneFile, notMultipart } from './upload-errors.ts'
import { storeFiles, assertWithinQuota } from './store-file.ts'
import { storeProfilePicture } from './store-profile-picture.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'

/** Bytes that a form may have besides its files. */
const FORM_OVERHEAD_BYTES = 64 * 1024
/** Milliseconds that an upload waits for the concurrency limiter. */
const MAX_WAIT_MS = 5000

interface FormOptions {
  field: string
  maxFiles: number
}

interface UploadRoute extends FormOptions {
  /** The name for idempotency. */
  procedure: string
  /** Of the Idempotency-Key. */
  leaseSeconds?: number
  store: (ctx: AuthenticatedContext, files: ReceivedFile[]) => Promise<{ file: StoredFile } | { files: StoredFile[] }>
  message: string
}
const SINGLE: UploadRoute = {
  field: 'file',
  maxFiles: 1,
  procedure: 'uploads.single',
  store: async (ctx, received) => ({ file: onlyRow((await storeFiles(ctx, received)).files) }),
  message: 'File uploaded successfully',
}
const PROFILE: UploadRoute = {
  field: 'profile',
  maxFiles: 1,
  procedure: 'uploads.profile',
  store: (ctx, [file]) => storeProfilePicture(ctx, file!),
  message: 'Profile picture updated',
}
/** Stored all or none. */
const SUBMISSION: UploadRoute = {
  field: 'files',
  maxFiles: limits.UPLOAD_FILES_MAX,
  procedure: 'uploads.submission',
  // The files are stored one after the other, each within the storage's 25 s.
  leaseSeconds: 30 * limits.UPLOAD_FILES_MAX,
  store: storeFiles,
  message: 'Files uploaded successfully',
}

/** Throws unless the caller is signed in and may write. */
function requireUser(ctx: Context): AuthenticatedContext {
  if (!ctx.user) throw new AppError(ctx.tokenError ?? appErrors.notSignedIn)
  assertScope(ctx.user, 'write')
  return { ...ctx, user: ctx.user }
}

/** Rejects by the headers, before the body is read. */
function assertUploadForm(request: FastifyRequest, files: number): void {
  if (!request.isMultipart()) throw new AppError(notMultipart)
  if (Number(request.headers['content-length'] ?? 0) > files * limits.UPLOAD_BYTES_MAX + FORM_OVERHEAD_BYTES)
    throw new AppError(appErrors.fileTooLarge)
}

/** Reading the form of a client that has disconnected would never end. */
function assertConnected({ raw }: FastifyRequest): void {
  if (raw.destroyed) throw new AppError(withMessage(appErrors.validation, 'The upload was interrupted'))
}

/** Rejects early when the quota has no place for another file. Not with an Idempotency-Key: a retry gets its stored response even then. */
async function assertQuotaUnlessRetry({ db, request, user }: AuthenticatedContext): Promise<void> {
  if (request.idempotencyKey === undefined) await assertWithinQuota(db, user.id, [0])
}

/** The same error as for an unknown field of a JSON body. */
const unknownField = (name: string) =>
  new TRPCError({
    code: 'BAD_REQUEST',
    cause: new z.ZodRealError([{ code: 'unrecognized_keys', keys: [name], path: [], message: '' }]),
  })

/** Receives all files of a form into `received`, before any is stored. The caller closes them. */
async function receiveFiles(
  request: FastifyRequest,
  { field, maxFiles }: FormOptions,
  received: ReceivedFile[],
): Promise<void> {
  assertConnected(request)
  const required = { ...appErrors.fileRequired, path: field }
  try {
    for await (const part of request.parts({ limits: { files: maxFiles } })) {
      if (part.type === 'field' && part.fieldname !== field) throw unknownField(part.fieldname)
      if (part.type === 'field' || part.fieldname !== field) throw new AppError(required)
      received.push(await receiveFile(part))
    }
  } catch (error) {
    if (error instanceof AppError || error instanceof TRPCError) throw error
    if ((error as { code?: unknown }).code !== 'FST_FILES_LIMIT') throw new AppError(malformedForm)
    throw new AppError(maxFiles === 1 ? { ...moreThanOneFile, path: field } : appErrors.tooManyFiles)
  }
  if (received.length === 0) throw new AppError(required)
}

const handleUpload =
  (createContext: CreateContext, limiter: ConcurrencyLimiter, route: UploadRoute) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { maxFiles, procedure, leaseSeconds, store, message } = route
    const received: ReceivedFile[] = []
    let release = () => {}
    try {
      const ctx = requireUser(await createContext(request, reply))
      assertUploadForm(request, maxFiles)
      release = (await limiter.acquire(ctx.user.id)).release
      await assertQuotaUnlessRetry(ctx)
      await receiveFiles(request, route, received)
      const sent = received.map(({ originalName, hash }) => ({ originalName, hash }))
      const input = maxFiles === 1 ? sent[0]! : { sent }
      const data = await withIdempotency(procedure, ctx, input, () => store(ctx, received), leaseSeconds)
      return await reply.code(201).send(success(message, data))
    } catch (error) {
      // `disconnectSlowSenders` has answered already: an error that is thrown now would only be logged.
      if (!(reply.sent && error instanceof AppError)) throw error
      return reply
    } finally {
      release()
      // Discards the rest of a rejected form: some clients read the response only after sending everything.
      request.raw.unpipe().resume()
      await Promise.all(received.map((file) => file.close()))
    }
  }

/** Upload routes: multipart forms with one or several files, streamed to the storage. */
export const uploadRoutes: FastifyPluginAsync<{ deps: Deps; createContext: CreateContext }> = async (
  app,
  { createContext },
) => {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: limits.UPLOAD_BYTES_MAX, files: 1, fields: 10, parts: 12, fieldSize: 1024, headerPairs: 50 },
  })
  // Other content types are rejected without being read.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  const limiterOptions = { maxWaitMs: MAX_WAIT_MS, ownError: appErrors.unavailable }
  // Bounds the disk space of in-flight uploads, which count for no quota yet: 100 single files and 16 forms of five are 1.9 GB.
  const singleLimiter = createConcurrencyLimiter({ perClient: 2, max: 100, ...limiterOptions })
  const multiLimiter = createConcurrencyLimiter({ perClient: 1, max: 16, ...limiterOptions })
  app.post('/upload/single', handleUpload(createContext, singleLimiter, SINGLE))
  app.post('/upload/profile', handleUpload(createContext, singleLimiter, PROFILE))
  app.post('/upload/submission', handleUpload(createContext, multiLimiter, SUBMISSION))
}
