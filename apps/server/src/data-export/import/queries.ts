import { limits, type ArchiveImport } from '@community/contract'
import { prepared, type Reader } from '@community/db'
import { archiveImports } from '@community/db/schema'
import { getTableColumns } from 'drizzle-orm'

/** The kind of the job that imports. */
export const IMPORT_JOB = 'archive-import'
export const importJobKey = (id: string): string => `${IMPORT_JOB}:${id}`

export type ImportRow = typeof archiveImports.$inferSelect

const currentImport = prepared('archive.imports', (q) =>
  q.select(getTableColumns(archiveImports)).from(archiveImports).limit(1),
)
/** The current import, or the last one until it is dismissed. */
export const findImport = async (db: Reader): Promise<ImportRow | undefined> => (await currentImport(db, {}))[0]

/** The bytes of a part; 0 for one that the archive does not have. */
export const sizeOfPart = ({ size }: Pick<ImportRow, 'size'>, part: number): number =>
  Math.max(0, Math.min(limits.IMPORT_PART_BYTES, size - part * limits.IMPORT_PART_BYTES))

export const partKey = (id: string, part: number): string => `imports/${id}/${part}`
export const partKeys = ({ id, parts }: Pick<ImportRow, 'id' | 'parts'>): string[] =>
  Array.from({ length: parts }, (_, part) => partKey(id, part))

/** As the API shows it. */
export function viewImport(row: ImportRow): ArchiveImport {
  const { id, fileName, size, parts, status, done, total, fault, faultDetails } = row
  const received = Math.min(size, parts * limits.IMPORT_PART_BYTES)
  const progress = { status, done, total, fault, faultDetails }
  return { id, _id: id, fileName, size, received, partSize: limits.IMPORT_PART_BYTES, ...progress }
}
