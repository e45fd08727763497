import { appErrors } from '@community/contract'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { toFailure } from '../http/failure.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { headersOf } from '../rest/openapi/headers.ts'
import examples from '../rest/openapi/examples.json' with { type: 'json' }
import { ArchiveInput } from './archive-input.ts'
import { type CsvTableName, CSV_TABLE_NAMES, CSV_TABLES } from './csv-tables.ts'

const { notSignedIn, tokenExpired, sessionRequired, adminsOnly, tokenScopeMissing, tooManyRequests, unavailable } =
  appErrors
const { validation, passwordRequired, wrongPassword, adminPasswordLocked, tooLarge, wrongContentType, crossSite } =
  appErrors

const { $schema: _dialect, ...archiveInput } = z.toJSONSchema(ArchiveInput, { io: 'input' })
const unknownField = toFailure(
  new TRPCError({ code: 'BAD_REQUEST', cause: ArchiveInput.safeParse({ nickname: 'Atlas' }).error }),
).body

const archivePath: OpenApiPaths = {
  '/admin/export': {
    post: {
      operationId: 'adminExport',
      tags: ['admin'],
      summary: 'Everything the product stores, without secrets, as a ZIP archive',
      description:
        '`tables/<name>.jsonl` has the rows of a table, all of one moment, as JSON Lines; `objects/<key>` are the files; `manifest.json` counts them and names the files that the storage has lost. Without password hashes, tokens, codes and webhooks. `main.js import` reads it. One download at a time. A response that ends early was aborted. Written to the audit log.',
      security: [{ bearer: [] }],
      requestBody: {
        content: {
          'application/json': {
            example: { password: 'Zellige2026' },
            schema: archiveInput,
          },
        },
      },
      responses: {
        200: {
          description: 'The archive',
          headers: headersOf(),
          content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
        },
        ...failureResponses(
          {
            validation,
            notSignedIn,
            tokenExpired,
            adminsOnly,
            tokenScopeMissing,
            passwordRequired,
            wrongPassword,
            adminPasswordLocked,
            tooLarge,
            wrongContentType,
            crossSite,
            tooManyRequests,
            unavailable,
          },
          { invalid: unknownField },
        ),
      },
    },
  },
}

/** The beginning of each table, as the server sent it. */
const EXAMPLES: Record<CsvTableName, { response: { text: string } }> = {
  teams: examples['admin.exportTeams'],
  submissions: examples['admin.exportSubmissions'],
  leaderboard: examples['admin.exportLeaderboard'],
  audit: examples['admin.exportAudit'],
}

const csvPaths: OpenApiPaths = Object.fromEntries(
  CSV_TABLE_NAMES.map((name) => [
    `/admin/export/${name}.csv`,
    {
      get: {
        operationId: `adminExport${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        tags: ['admin'],
        summary: `${CSV_TABLES[name].summary}, as CSV`,
        description: `RFC 4180 in UTF-8 with a byte order mark; the first line has the column names: ${Object.keys(CSV_TABLES[name].columns).join(', ')}. Columns may be added at the end. An apostrophe precedes what a spreadsheet would run as a formula: at the start of a text, and after a semicolon, a tab, a bar or a line break in it. Written to the audit log.`,
        security: [{ bearer: [] }],
        responses: {
          200: {
            description: 'The table',
            headers: headersOf('RateLimit-Policy', 'RateLimit'),
            content: { 'text/csv': { schema: { type: 'string' }, example: EXAMPLES[name].response.text } },
          },
          ...failureResponses(
            { notSignedIn, tokenExpired, adminsOnly, tokenScopeMissing, tooManyRequests, unavailable },
            { isRead: true },
          ),
        },
      },
    },
  ]),
)

/** Not in the contract, because they respond with files. */
export const exportPaths: OpenApiPaths = {
  ...csvPaths,
  ...archivePath,
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
