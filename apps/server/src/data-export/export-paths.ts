import { appErrors } from '@community/contract'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { headersOf } from '../rest/openapi/headers.ts'

const { notSignedIn, tokenExpired, sessionRequired, tooManyRequests, unavailable } = appErrors

/** Not in the contract, because it responds with an archive. */
export const exportPaths: OpenApiPaths = {
  '/users/export': {
    get: {
      operationId: 'usersExport',
      tags: ['users'],
      summary: 'Everything stored about the caller, as a ZIP archive',
      description:
        '`data.json` has what is stored about the account, without secrets and without data of others; `files/<id>/<name>` are the files that the caller uploaded; `missingFiles` names those that the storage has lost. One download at a time. A response that ends early was aborted: request it again.',
      security: [{ bearer: [] }],
      responses: {
        200: {
          description: 'The archive',
          headers: headersOf('RateLimit-Policy', 'RateLimit'),
          content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
        },
        ...failureResponses(
          { notSignedIn, tokenExpired, sessionRequired, tooManyRequests, unavailable },
          { isRead: true },
        ),
      },
    },
  },
}
