import { appErrors, limits, THUMBNAIL_TYPES } from '@community/contract'
import { PATH_PARAMETER_LENGTH_MAX } from '../http/create-server.ts'
import { THUMBNAIL_NAMES } from '../previews/preview.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { headersOf } from '../rest/openapi/headers.ts'
import { RANGE_PATTERN } from './byte-range.ts'
import { PICTURE_TYPE } from './file-type.ts'
import { KEY_PATTERN } from './file-url.ts'

const { notFound, rangeNotSatisfiable, tooManyRequests, unavailable } = appErrors

const binaryContent = { schema: { type: 'string', format: 'binary' } }
const contentOf = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, binaryContent]))
const fileContent = contentOf([...limits.UPLOAD_TYPES, PICTURE_TYPE])
const keyParameter = {
  name: 'key',
  in: 'path',
  required: true,
  description: 'The unguessable part of a `secureUrl`',
  schema: { type: 'string', pattern: KEY_PATTERN.source },
}
const fileHeaders = {
  ...headersOf(),
  ETag: { description: 'The version, for `If-None-Match` and `If-Range`', schema: { type: 'string' } },
}

/** The target of a `secureUrl`, which names it without `/api`. */
export const filePaths: OpenApiPaths = {
  '/files/{key}/{name}': {
    get: {
      operationId: 'uploadRead',
      tags: ['uploads'],
      summary: 'A stored file, whole or in part',
      description: 'For anyone who has its URL. Also served without `/api`.',
      security: [],
      parameters: [
        keyParameter,
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The file’s name, for people: it is not compared',
          schema: { type: 'string', minLength: 1, maxLength: PATH_PARAMETER_LENGTH_MAX },
        },
        {
          name: 'Range',
          in: 'header',
          required: false,
          description: 'One range of bytes, for example `bytes=0-1023`; any other value is ignored',
          schema: { type: 'string', pattern: RANGE_PATTERN.source },
        },
      ],
      responses: {
        200: { description: 'The file', headers: fileHeaders, content: fileContent },
        206: { description: 'The requested range', headers: fileHeaders, content: fileContent },
        304: { description: 'Not changed', headers: fileHeaders },
        ...failureResponses({ notFound, rangeNotSatisfiable, tooManyRequests, unavailable }),
      },
    },
  },
  '/files/{key}/thumbnails/{name}': {
    get: {
      operationId: 'thumbnailRead',
      tags: ['uploads'],
      summary: 'A thumbnail of a submission’s file',
      description: 'For anyone who has its URL. Also served without `/api`.',
      security: [],
      parameters: [
        keyParameter,
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The size and the format',
          schema: { type: 'string', enum: THUMBNAIL_NAMES },
        },
      ],
      responses: {
        200: { description: 'The thumbnail', headers: fileHeaders, content: contentOf(THUMBNAIL_TYPES) },
        304: { description: 'Not changed', headers: fileHeaders },
        ...failureResponses({ notFound, tooManyRequests, unavailable }),
      },
    },
  },
}
