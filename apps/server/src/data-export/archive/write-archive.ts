import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '@community/db'
import type { Deps } from '../../context.ts'
import { type Storage, StorageUnavailable } from '../../integrations/storage.ts'
import { thumbnailKeys } from '../../previews/preview.ts'
import { inSnapshot, readCursor } from '../snapshot.ts'
import { type AddEntry, zipStream } from '../zip-stream.ts'
import { ARCHIVED_TABLES, type ArchivedTable } from './archived-tables.ts'
import { currentSchema, FORMAT_VERSION, MANIFEST, type Manifest } from './manifest.ts'
import { rowsAsJson, storedFiles } from './queries.ts'

export type Progress = (what: string, done: number, total?: number) => void
type ArchiveDeps = Pick<Deps, 'readExport' | 'storage' | 'config'>

async function* linesOf(tx: Tx, table: ArchivedTable, onRows: (rows: number) => void): AsyncGenerator<string> {
  for await (const rows of readCursor(tx, rowsAsJson(table))) {
    onRows(rows.length)
    yield rows.map(({ line }) => `${String(line)}\n`).join('')
  }
}

interface StoredFile {
  key: string
  hasPreview: boolean
}

/** All tables and the list of files, from one snapshot. */
async function addTables(add: AddEntry, { readExport, config }: ArchiveDeps, onProgress: Progress) {
  const tables: Record<string, number> = {}
  const files: StoredFile[] = []
  const schema = await inSnapshot(readExport, async (tx) => {
    const version = await currentSchema(tx, config.migrationsDir)
    for (const table of ARCHIVED_TABLES) {
      let count = 0
      const lines = linesOf(tx, table, (rows) => onProgress(table.name, (count += rows)))
      await add(Readable.from(lines), `tables/${table.name}.jsonl`)
      tables[table.name] = count
    }
    for await (const rows of readCursor(tx, storedFiles)) files.push(...(rows as unknown as StoredFile[]))
    return version
  })
  return { schema, tables, files }
}

/** Milliseconds before each further attempt to open a file: one that fails must not end an export that has run for hours. */
const RETRY_DELAYS_MS = [1000, 5000]

async function openObject(storage: Storage, key: string) {
  for (const delay of RETRY_DELAYS_MS)
    try {
      return await storage.open(key)
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      await sleep(delay)
    }
  return storage.open(key)
}

/** The files and their thumbnails. Returns how many objects there are, and the keys of files without one. */
async function addObjects(add: AddEntry, { storage }: ArchiveDeps, files: StoredFile[], onProgress: Progress) {
  const missingFiles: string[] = []
  let objects = 0
  for (const [position, { key, hasPreview }] of files.entries()) {
    for (const objectKey of hasPreview ? [key, ...thumbnailKeys(key)] : [key]) {
      const object = await openObject(storage, objectKey)
      if (object) {
        const options = { size: object.size, mtime: new Date(0), compress: false, fileComment: object.contentType }
        await add(object.body, `objects/${objectKey}`, options)
        objects++
      } else if (objectKey === key) missingFiles.push(key)
    }
    onProgress('files', position + 1, files.length)
  }
  return { objects, missingFiles }
}

/**
 * Everything the product stores, without secrets, as a ZIP archive: tables as JSON Lines from one snapshot, files, and the manifest last.
 * Memory grows only with the number of files, by about a kilobyte each.
 */
export function createArchiveStream(deps: ArchiveDeps, onProgress: Progress = () => {}): Readable {
  return zipStream(async (add) => {
    const exportedAt = new Date().toISOString()
    const { schema, tables, files } = await addTables(add, deps, onProgress)
    const stored = await addObjects(add, deps, files, onProgress)
    const manifest: Manifest = {
      format: 'community-archive',
      version: FORMAT_VERSION,
      exportedAt,
      schema,
      appUrl: deps.config.appUrl,
      tables,
      ...stored,
    }
    await add(Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]), MANIFEST)
  })
}
