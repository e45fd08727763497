import { type ErrorDefinition, appErrors, limits, StoredFile } from '@community/contract'
import { z } from 'zod'
import { scopeMissingError } from '../personal-tokens/assert-scope.ts'
import { successResponse } from '../rest/openapi/envelope.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import examples from '../rest/openapi/examples.json' with { type: 'json' }
import { idempotencyParameter } from '../rest/openapi/headers.ts'
import { openSchema } from '../rest/openapi/schemas.ts'
import { malformedForm, moreThanOneFile, notMultipart } from './upload-errors.ts'

// Without its registered id, which would become an unresolved $ref inside another schema.
const { $schema: _dialect, ...storedFile } = z.toJSONSchema(z.object(StoredFile.shape))
openSchema(storedFile)

const {
  notSignedIn,
  tokenExpired,
  banned,
  crossSite,
  tooManyRequests,
  unavailable,
  fileRequired,
  fileTooLarge,
  fileTypeRefused,
  pictureTypeRefused,
  pictureUnreadable,
  pictureTooLarge,
  tooManyFiles,
  tooManyUploads,
  idempotencyKeyInvalid,
  idempotencyKeyReused,
  idempotencyKeyRunning,
  idempotencyKeySpent,
  tooManyIdempotencyKeys,
} = appErrors

interface UploadOperation {
  operationId: string
  summary: string
  /** An example of its success. */
  example: object
  field: string
  types: readonly string[]
  errors: Record<string, ErrorDefinition>
  /** For several files. */
  maxFiles?: number
}

const binary = { type: 'string', format: 'binary' }

/** The OpenAPI path item of an upload. */
const uploadOperation = ({ operationId, summary, example, field, types, errors, maxFiles }: UploadOperation) => ({
  post: {
    operationId,
    tags: ['uploads'],
    summary,
    description: `The content decides the type, not the name or the header. A user may upload ${limits.UPLOADS_PER_DAY} files and ${limits.UPLOAD_BYTES_PER_DAY / 1024 ** 2} MiB a day; a file that nothing uses is deleted after ${limits.ORPHAN_TTL / limits.HOUR} hours.`,
    security: [{ bearer: [] }],
    parameters: [idempotencyParameter('file')],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: [field],
            additionalProperties: false,
            properties: {
              [field]: maxFiles ? { type: 'array', minItems: 1, maxItems: maxFiles, items: binary } : binary,
            },
          },
          encoding: { [field]: { contentType: types.join(', ') } },
          example: { [field]: maxFiles ? ['@poster.png', '@report.pdf'] : '@poster.png' },
        },
      },
    },
    responses: {
      201: maxFiles
        ? successResponse('Stored', { files: { type: 'array', items: storedFile } }, example)
        : successResponse('Stored', { file: storedFile }, example),
      ...failureResponses({
        validation: malformedForm,
        fileRequired: { ...fileRequired, path: field },
        notSignedIn,
        tokenExpired,
        // An account may be banned while its file arrives.
        banned,
        tokenScopeMissing: scopeMissingError('write').definition,
        crossSite,
        fileTooLarge,
        wrongContentType: notMultipart,
        ...errors,
        idempotencyKeyInvalid,
        idempotencyKeyRunning,
        idempotencyKeySpent,
        idempotencyKeyReused,
        tooManyIdempotencyKeys,
        tooManyUploads,
        tooManyRequests,
        unavailable,
      }),
    },
  },
})

/** The upload routes, which are not in the contract because they take multipart forms. */
export const uploadPaths: OpenApiPaths = {
  '/upload/single': uploadOperation({
    operationId: 'uploadSingle',
    summary: `Upload one file: JPEG, PNG, GIF, PDF or ZIP by its content, at most ${limits.UPLOAD_BYTES_MAX / 1024 ** 2} MB`,
    example: examples['uploads.single'].response,
    field: 'file',
    types: limits.UPLOAD_TYPES,
    errors: { fileTypeRefused, tooManyFiles: { ...moreThanOneFile, path: 'file' } },
  }),
  '/upload/submission': uploadOperation({
    operationId: 'uploadSubmission',
    summary: 'Upload up to five files at once: all are stored, or none',
    example: examples['uploads.submission'].response,
    field: 'files',
    types: limits.UPLOAD_TYPES,
    errors: { fileTypeRefused, tooManyFiles },
    maxFiles: limits.UPLOAD_FILES_MAX,
  }),
  '/upload/profile': uploadOperation({
    operationId: 'uploadProfile',
    summary: `Upload one’s picture: JPEG, PNG or GIF, at most ${limits.PICTURE_PIXELS_MAX / 1e6} megapixels; kept as a square of 512, as WebP`,
    example: examples['uploads.profile'].response,
    field: 'profile',
    types: limits.UPLOAD_TYPES.filter((type) => type.startsWith('image/')),
    errors: {
      fileTypeRefused,
      pictureTypeRefused,
      pictureUnreadable,
      pictureTooLarge,
      tooManyFiles: { ...moreThanOneFile, path: 'profile' },
    },
  }),
}
