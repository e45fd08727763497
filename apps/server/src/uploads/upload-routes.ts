import multipart from '@fastify/multipart'
import { appErrors, limits, withMessage, type StoredFile } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, CreateContext, Deps, MemberContext } from '../context.ts'
import { success } from '../http/envelope.ts'
import { AppError } from '../errors.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { keepFile, keepFiles, refuseOverQuota } from './keep-file.ts'
import { keepProfilePicture } from './profile-upload.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'

/** Bytes that a form may have besides its files. */
const FORM_BYTES = 64 * 1024
/** Milliseconds that an upload waits for the concurrency limiter; the request times out after 30 s. */
const MAX_WAIT_MS = 5000
const wrongForm = withMessage(appErrors.wrongContentType, 'Send the file as multipart/form-data')

/** A route for one file: form field, procedure name for idempotency, use case and success message. */
interface OneFile {
  field: string
  call: string
  keep: (ctx: MemberContext, file: ReceivedFile) => Promise<{ file: StoredFile }>
  done: string
}
const SINGLE: OneFile = {
  field: 'file',
  call: 'uploads.single',
  keep: keepFile,
  done: 'File uploaded successfully',
}
const PROFILE: OneFile = {
  field: 'profile',
  call: 'uploads.profile',
  keep: keepProfilePicture,
  done: 'Profile picture updated',
}

function memberOf(ctx: Context): MemberContext {
  if (ctx.user) return { ...ctx, user: ctx.user }
  throw new AppError(ctx.tokenError === 'expired' ? appErrors.tokenExpired : appErrors.notSignedIn)
}

/** Rejects by the headers, before the body is read. */
function refuseForm(request: FastifyRequest, files = 1): void {
  if (!request.isMultipart()) throw new AppError(wrongForm)
  if (Number(request.headers['content-length'] ?? 0) > files * limits.UPLOAD_BYTES_MAX + FORM_BYTES)
    throw new AppError(appErrors.fileTooLarge)
}

/** Reading the form of a client that has disconnected would never end. */
function refuseGone({ raw }: FastifyRequest): void {
  if (raw.destroyed) throw new AppError(withMessage(appErrors.validation, 'The upload broke off'))
}

/** The file part of a form; throws `validation` for a malformed form. */
async function filePart(request: FastifyRequest, field: string) {
  refuseGone(request)
  const part = await request.file().catch(() => {
    throw new AppError(withMessage(appErrors.validation, 'The form is malformed'))
  })
  if (part?.fieldname !== field) throw new AppError({ ...appErrors.fileRequired, path: field })
  return part
}

/** The handler of a route for one file. */
const takeFile =
  (createContext: CreateContext, turns: ConcurrencyLimiter, { field, call, keep, done }: OneFile) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    let end = () => {}
    try {
      const ctx = memberOf(await createContext(request, reply))
      refuseForm(request)
      end = (await turns.acquire(ctx.user.id)).release
      await refuseOverQuota(ctx.db, ctx.user.id, 0)
      const file = await receiveFile(await filePart(request, field))
      try {
        const { originalName, hash } = file
        const data = await withIdempotency(call, ctx, { originalName, hash }, () => keep(ctx, file))
        return await reply.code(201).send(success(done, data))
      } finally {
        await file.close()
      }
    } finally {
      end()
      // Discards the rest of a rejected form: some clients read the response only after sending everything.
      request.raw.unpipe().resume()
    }
  }

/** Receives all files of a form into `received`, before any is stored. The caller closes them. */
async function receiveFiles(request: FastifyRequest, received: ReceivedFile[]): Promise<void> {
  refuseGone(request)
  const parts = request.files({ limits: { files: limits.UPLOAD_FILES_MAX } })
  try {
    for await (const part of parts) {
      if (part.fieldname !== 'files') throw new AppError({ ...appErrors.fileRequired, path: 'files' })
      received.push(await receiveFile(part))
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if ((error as { code?: unknown }).code === 'FST_FILES_LIMIT') throw new AppError(appErrors.tooManyFiles)
    throw new AppError(withMessage(appErrors.validation, 'The form is malformed'))
  }
  if (received.length === 0) throw new AppError({ ...appErrors.fileRequired, path: 'files' })
}

/** The handler of `POST /upload/submission`: up to five files, stored all or none. */
const takeFiles =
  (createContext: CreateContext, turns: ConcurrencyLimiter) => async (request: FastifyRequest, reply: FastifyReply) => {
    const received: ReceivedFile[] = []
    let end = () => {}
    try {
      const ctx = memberOf(await createContext(request, reply))
      refuseForm(request, limits.UPLOAD_FILES_MAX)
      end = (await turns.acquire(ctx.user.id)).release
      await refuseOverQuota(ctx.db, ctx.user.id, 0)
      await receiveFiles(request, received)
      const sent = received.map(({ originalName, hash }) => ({ originalName, hash }))
      const data = await withIdempotency('uploads.submission', ctx, { sent }, () => keepFiles(ctx, received))
      return await reply.code(201).send(success('Files uploaded successfully', data))
    } finally {
      await Promise.all(received.map((file) => file.close()))
      end()
      request.raw.unpipe().resume()
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

  const waiting = { maxWaitMs: MAX_WAIT_MS, ownFault: appErrors.unavailable }
  // Bounds the disk space of in-flight uploads, which count for no quota yet: 40 single files and 8 forms of five.
  const one = createConcurrencyLimiter({ perClient: 2, max: 40, ...waiting })
  const several = createConcurrencyLimiter({ perClient: 1, max: 8, ...waiting })
  app.post('/upload/single', takeFile(createContext, one, SINGLE))
  app.post('/upload/profile', takeFile(createContext, one, PROFILE))
  app.post('/upload/submission', takeFiles(createContext, several))
}
