import multipart from '@fastify/multipart'
import { faults, limits, saying } from '@community/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Context, Deps, MemberContext } from '../context.ts'
import { success } from '../envelope.ts'
import { Refusal } from '../errors.ts'
import { answeredOnce } from '../idempotency.ts'
import type { ContextOf } from '../rest.ts'
import { keepFile, refuseOverQuota } from './keep-file.ts'
import { receiveFile } from './receive-file.ts'

/** What the form around a file may weigh. */
const FORM_BYTES = 64 * 1024
const wrongForm = saying(faults.wrongContentType, 'Send the file as multipart/form-data')
const UPLOADED = 'File uploaded successfully'

function memberOf(ctx: Context): MemberContext {
  if (ctx.user) return { ...ctx, user: ctx.user }
  throw new Refusal(ctx.tokenRefused === 'expired' ? faults.tokenExpired : faults.notSignedIn)
}

/** Refuses before anything is read what could only be refused after it. */
function refuseForm(request: FastifyRequest): void {
  if (!request.isMultipart()) throw new Refusal(wrongForm)
  if (Number(request.headers['content-length'] ?? 0) > limits.UPLOAD_BYTES_MAX + FORM_BYTES)
    throw new Refusal(faults.fileTooLarge)
}

/** The file of a form; a form that is none is its sender's mistake. */
async function filePart(request: FastifyRequest) {
  const part = await request.file().catch(() => {
    throw new Refusal(saying(faults.validation, 'The form is malformed'))
  })
  if (part?.fieldname !== 'file') throw new Refusal(faults.fileRequired)
  return part
}

/** `POST /upload/single`: one file, as multipart, streamed through to the storage. */
export const uploadRoutes: FastifyPluginAsync<{ deps: Deps; contextOf: ContextOf }> = async (app, { contextOf }) => {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: limits.UPLOAD_BYTES_MAX, files: 1, fields: 10, parts: 12, fieldSize: 1024, headerPairs: 50 },
  })
  // Other types are refused by name, not read.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  app.post('/upload/single', async (request, reply) => {
    try {
      const ctx = memberOf(await contextOf(request, reply))
      refuseForm(request)
      await refuseOverQuota(ctx.db, ctx.user.id, 0)
      const file = await receiveFile(await filePart(request))
      try {
        const { originalName, hash } = file
        const data = await answeredOnce('uploads.single', ctx, { originalName, hash }, () => keepFile(ctx, file))
        return await reply.code(201).send(success(UPLOADED, data))
      } finally {
        await file.close()
      }
    } finally {
      // What is left of a refused form is read away, or its sender would never come to read the answer.
      request.raw.unpipe().resume()
    }
  })
}
export { uploadPaths, filePaths } from './upload-paths.ts'
