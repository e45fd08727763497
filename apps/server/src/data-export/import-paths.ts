import { appErrors, limits } from '@community/contract'
import { successResponse } from '../rest/openapi/envelope.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import examples from '../rest/openapi/examples.json' with { type: 'json' }
import { notBytes } from './import-part-routes.ts'

const { notSignedIn, tokenExpired, adminsOnly, tokenScopeMissing, crossSite } = appErrors
const { importMissing, importPartWrong, productNotEmpty, tooLarge, tooManyRequests, unavailable } = appErrors

const { import: started } = examples['admin.startImport'].response.data

const LAST_PART = limits.IMPORT_BYTES_MAX / limits.IMPORT_PART_BYTES - 1

const parameter = (name: string, schema: object, description: string) => ({
  name,
  in: 'path',
  required: true,
  schema,
  description,
})

/** Not in the contract, because it receives bytes. */
export const importPaths: OpenApiPaths = {
  '/admin/import/{id}/parts/{part}': {
    put: {
      operationId: 'adminImportPart',
      tags: ['admin'],
      summary: 'Store the next part of an archive that is imported',
      description: `Parts have ${limits.IMPORT_PART_BYTES} bytes, the last one the rest. Send them in order, one at a time. A stored part is acknowledged again, so a part without a response may be repeated.`,
      security: [{ bearer: [] }],
      parameters: [
        parameter('id', { type: 'string', format: 'uuid' }, 'Of the import'),
        parameter('part', { type: 'integer', minimum: 0, maximum: LAST_PART }, 'From 0'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/octet-stream': {
            schema: { type: 'string', format: 'binary' },
            example: 'The bytes of the archive from `received` on',
          },
        },
      },
      responses: {
        200: successResponse(
          'Stored',
          { import: { $ref: '#/components/schemas/ArchiveImport' } },
          {
            success: true,
            message: 'Part stored',
            data: { import: { ...started, received: 1024, status: 'waiting' } },
          },
        ),
        ...failureResponses({
          notSignedIn,
          tokenExpired,
          adminsOnly,
          tokenScopeMissing,
          importMissing,
          importPartWrong,
          wrongContentType: notBytes,
          productNotEmpty,
          tooLarge,
          crossSite,
          tooManyRequests,
          unavailable,
        }),
      },
    },
  },
}
