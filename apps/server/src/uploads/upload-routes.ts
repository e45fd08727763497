import multipart from '@fastify/multipart'
import { faults, limits, saying, type StoredFile } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Deps, MemberContext } from '../context.ts'
import { success } from '../envelope.ts'
import { Refusal } from '../errors.ts'
import { answeredOnce } from '../idempotency.ts'
import type { ContextOf } from '../rest.ts'
import { keepFile, refuseOverQuota } from './keep-file.ts'
import { keepProfilePicture } from './profile-upload.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'

/** What the form around a file may weigh. */
const FORM_BYTES = 64 * 1024
const wrongForm = saying(faults.wrongContentType, 'Send the file as multipart/form-data')

/** A call that takes one file: its field in the form, the call's name, what is done with the file and then said. */
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
  throw new Refusal(ctx.tokenRefused === 'expired' ? faults.tokenExpired : faults.notSignedIn)
}

/** Refuses before anything is read what could only be refused after it. */
function refuseForm(request: FastifyRequest): void {
  if (!request.isMultipart()) throw new Refusal(wrongForm)
  if (Number(request.headers['content-length'] ?? 0) > limits.UPLOAD_BYTES_MAX + FORM_BYTES)
    throw new Refusal(faults.fileTooLarge)
}

/** The file of a form; a form that is none is its sender's mistake. */
async function filePart(request: FastifyRequest, field: string) {
  const part = await request.file().catch(() => {
    throw new Refusal(saying(faults.validation, 'The form is malformed'))
  })
  if (part?.fieldname !== field) throw new Refusal({ ...faults.fileRequired, path: field })
  return part
}

/** Serves a call that takes one file. */
const takeFile =
  (contextOf: ContextOf, { field, call, keep, done }: OneFile) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const ctx = memberOf(await contextOf(request, reply))
      refuseForm(request)
      await refuseOverQuota(ctx.db, ctx.user.id, 0)
      const file = await receiveFile(await filePart(request, field))
      try {
        const { originalName, hash } = file
        const data = await answeredOnce(call, ctx, { originalName, hash }, () => keep(ctx, file))
        return await reply.code(201).send(success(done, data))
      } finally {
        await file.close()
      }
    } finally {
      // What is left of a refused form is read away, or its sender would never come to read the answer.
      request.raw.unpipe().resume()
    }
  }

/** `POST /upload/single` and `/upload/profile`: one file, as multipart, streamed through to the storage. */
export const uploadRoutes: FastifyPluginAsync<{ deps: Deps; contextOf: ContextOf }> = async (app, { contextOf }) => {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: limits.UPLOAD_BYTES_MAX, files: 1, fields: 10, parts: 12, fieldSize: 1024, headerPairs: 50 },
  })
  // Other types are refused by name, not read.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  app.post('/upload/single', takeFile(contextOf, SINGLE))
  app.post('/upload/profile', takeFile(contextOf, PROFILE))
}
export { uploadPaths, filePaths } from './upload-paths.ts'
