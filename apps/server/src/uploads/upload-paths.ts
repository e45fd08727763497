import { type ErrorDefinition, appErrors, limits, StoredFile, THUMBNAIL_TYPES } from '@community/contract'
import { z } from 'zod'
import { THUMBNAIL_NAMES } from '../previews/preview.ts'
import { scopeMissing } from '../personal-tokens/assert-scope.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { PICTURE_TYPE } from './file-type.ts'

// Without its registered id, which would become an unresolved $ref inside another schema.
const { $schema: _dialect, ...storedFile } = z.toJSONSchema(z.object(StoredFile.shape))

const createdResponse = (data: Record<string, object>) => ({
  description: 'Stored',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'message', 'data'],
        properties: {
          success: { const: true },
          message: { type: 'string' },
          data: { type: 'object', required: Object.keys(data), properties: data },
        },
      },
    },
  },
})

const {
  validation,
  notSignedIn,
  tokenExpired,
  wrongContentType,
  crossSite,
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

const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same file takes effect once; its answer is repeated for 24 hours. At most 1,000 keys a person.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

interface UploadOperation {
  operationId: string
  summary: string
  field: string
  types: readonly string[]
  errors: Record<string, ErrorDefinition>
  /** For several files. */
  maxFiles?: number
}

const binary = { type: 'string', format: 'binary' }

/** The OpenAPI path item of an upload. */
const uploadOperation = ({ operationId, summary, field, types, errors, maxFiles }: UploadOperation) => ({
  post: {
    operationId,
    tags: ['uploads'],
    summary,
    security: [{ bearer: [] }],
    parameters: [IDEMPOTENCY_KEY_PARAMETER],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: [field],
            properties: {
              [field]: maxFiles ? { type: 'array', minItems: 1, maxItems: maxFiles, items: binary } : binary,
            },
          },
          encoding: { [field]: { contentType: types.join(', ') } },
        },
      },
    },
    responses: {
      201: createdResponse(maxFiles ? { files: { type: 'array', items: storedFile } } : { file: storedFile }),
      ...failureResponses({
        validation,
        fileRequired,
        notSignedIn,
        tokenExpired,
        tokenScopeMissing: scopeMissing('write').definition,
        crossSite,
        fileTooLarge,
        wrongContentType,
        ...errors,
        idempotencyKeyInvalid,
        idempotencyKeyRunning,
        idempotencyKeySpent,
        idempotencyKeyReused,
        tooManyIdempotencyKeys,
        tooManyUploads,
        unavailable,
      }),
    },
  },
})

/** The upload routes, which are not in the contract because they take multipart forms. */
export const uploadPaths: OpenApiPaths = {
  '/upload/single': uploadOperation({
    operationId: 'uploadSingle',
    summary: 'Upload one file: JPEG, PNG, GIF, PDF or ZIP by its content, at most 10 MB',
    field: 'file',
    types: limits.UPLOAD_TYPES,
    errors: { fileTypeRefused },
  }),
  '/upload/submission': uploadOperation({
    operationId: 'uploadSubmission',
    summary: 'Upload up to five files at once: all are stored, or none',
    field: 'files',
    types: limits.UPLOAD_TYPES,
    errors: { fileTypeRefused, tooManyFiles },
    maxFiles: limits.UPLOAD_FILES_MAX,
  }),
  '/upload/profile': uploadOperation({
    operationId: 'uploadProfile',
    summary: 'Upload one’s picture: JPEG, PNG or GIF, at most 40 megapixels; kept as a square of 512, as WebP',
    field: 'profile',
    types: limits.UPLOAD_TYPES.filter((type) => type.startsWith('image/')),
    errors: { fileTypeRefused, pictureTypeRefused, pictureUnreadable, pictureTooLarge },
  }),
}

const binaryContent = { schema: { type: 'string', format: 'binary' } }
const contentOf = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, binaryContent]))
const fileContent = contentOf([...limits.UPLOAD_TYPES, PICTURE_TYPE])
const keyParameter = { name: 'key', in: 'path', required: true, schema: { type: 'string' } }

/** The target of a `secureUrl`, outside of `/api`. */
export const filePaths: OpenApiPaths = {
  '/files/{key}/{name}': {
    servers: [{ url: '/' }],
    get: {
      operationId: 'uploadRead',
      tags: ['uploads'],
      summary: 'A stored file, whole or in part',
      security: [],
      parameters: [
        keyParameter,
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'For people; not compared',
          schema: { type: 'string' },
        },
        { name: 'Range', in: 'header', required: false, schema: { type: 'string', example: 'bytes=0-1023' } },
      ],
      responses: {
        200: { description: 'The file', content: fileContent },
        206: { description: 'The range asked for', content: fileContent },
        304: { description: 'Not changed' },
        416: { description: 'No such range' },
        ...failureResponses({ notFound: appErrors.notFound, unavailable }),
      },
    },
  },
  '/files/{key}/thumbnails/{name}': {
    servers: [{ url: '/' }],
    get: {
      operationId: 'thumbnailRead',
      tags: ['uploads'],
      summary: 'A thumbnail of a submission’s file',
      security: [],
      parameters: [keyParameter, { name: 'name', in: 'path', required: true, schema: { enum: THUMBNAIL_NAMES } }],
      responses: {
        200: { description: 'The thumbnail', content: contentOf(THUMBNAIL_TYPES) },
        304: { description: 'Not changed' },
        ...failureResponses({ notFound: appErrors.notFound, unavailable }),
      },
    },
  },
}
