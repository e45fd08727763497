import type { StoredFile } from '@community/contract'
import { createFileUrl } from './file-url.ts'
import type { UploadRow } from './queries.ts'

/** The API representation of a stored file. */
export const toStoredFile = (appUrl: string, row: UploadRow): StoredFile => ({
  id: row.id,
  secureUrl: createFileUrl(appUrl, row),
  originalName: row.originalName,
  fileSize: row.size,
  mimeType: row.mimeType,
})
