import { z } from 'zod'
import { importMissing, importRunning } from '../error-catalogue.ts'
import { IMPORT_BYTES_MAX, SEARCH_LENGTH_MAX } from '../limits.ts'
import { lineOf } from '../patterns.ts'
import { Count, Id, ids, line } from '../primitives.ts'
import { route } from '../route.ts'
import { PasswordConfirmation } from './schemas.ts'

export const IMPORT_STATUSES = ['receiving', 'waiting', 'running', 'done', 'failed'] as const
/** Why an archive was not imported. */
export const IMPORT_FAULTS = [
  'not-an-archive',
  'damaged',
  'other-version',
  'not-empty',
  'rejected-rows',
  'interrupted',
] as const
export type ImportFault = (typeof IMPORT_FAULTS)[number]

export const ArchiveImport = z
  .object({
    ...ids,
    fileName: z.string(),
    size: Count.describe('Bytes of the archive'),
    received: Count.describe('Bytes that are stored; the next part begins there'),
    partSize: z.int().min(1).describe('Bytes of each part but the last'),
    status: z
      .enum(IMPORT_STATUSES)
      .describe(
        '`receiving` parts, `waiting` for a worker, `running`, then `done` or `failed`; nothing is imported until `done`',
      ),
    done: Count.describe('Rows and files that are written'),
    total: Count.describe('Rows and files of the archive; 0 until they are known'),
    fault: z
      .enum(IMPORT_FAULTS)
      .nullable()
      .describe('Why it failed; `not-empty` while it waits until what was added to the product is deleted'),
    faultDetails: z.string().nullable().describe('English, for example the line of a table that was rejected'),
  })
  .meta({ id: 'ArchiveImport' })
export type ArchiveImport = z.output<typeof ArchiveImport>

/** The import of an archive from the admin area; its parts are sent to a route outside the contract. */
export const importRoutes = {
  archiveImport: route('GET /admin/import', {
    access: 'admin',
    beyondSpecification: true,
    summary: 'The import of an archive and how far it is',
    output: z.object({
      isPossible: z.boolean().describe('Whether the product is empty: only the caller has an account'),
      import: ArchiveImport.nullable(),
    }),
  }),
  startImport: route('POST /admin/import', {
    access: 'admin',
    audits: 'import',
    beyondSpecification: true,
    requiresAdminPassword: true,
    creates: true,
    summary: 'Begin to import an archive into an empty product',
    description:
      'Then send the parts to `PUT /admin/import/{id}/parts/{part}`; the import runs when the last one is stored. Replaces an import that does not run.',
    input: z.object({
      fileName: line()
        .min(1)
        .max(SEARCH_LENGTH_MAX)
        .meta({ example: 'Community-archive.zip', pattern: lineOf(1) }),
      size: z.int().min(1).max(IMPORT_BYTES_MAX).describe('Bytes of the archive').meta({ example: 1024 }),
      ...PasswordConfirmation,
    }),
    output: z.object({ import: ArchiveImport }),
    errors: { importRunning },
  }),
  cancelImport: route('DELETE /admin/import/{id}', {
    access: 'admin',
    audits: 'import',
    beyondSpecification: true,
    summary: 'Cancel an import, or dismiss its outcome',
    description: 'A running import leaves the product empty.',
    input: z.object({ id: Id }),
    errors: { importMissing },
  }),
}
