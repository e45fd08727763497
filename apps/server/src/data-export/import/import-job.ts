import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inTransaction, isDatabaseUnavailable } from '@community/db'
import type { Deps } from '../../context.ts'
import { StorageUnavailable } from '../../integrations/storage.ts'
import { type Job, RENEWED_LEASE_SECONDS } from '../../jobs/queue.ts'
import { JobFailure, type JobHandler, PostponedJob } from '../../jobs/job-handler.ts'
import { removeAllObjects } from '../../uploads/remove-objects.ts'
import { ArchiveError, type Manifest } from '../archive/manifest.ts'
import { setDone, setFault } from './commands.ts'
import { reportProgress } from './import-progress.ts'
import { assertProductEmpty } from './imports.ts'
import { findImport, importJobKey, type ImportRow, partKeys } from './queries.ts'

type ImportDeps = Pick<Deps, 'db' | 'openDirect' | 'storage' | 'config' | 'log'>

/** Seconds until an import looks again whether the product is empty. */
const RECHECK_SECONDS = 10

/** Opens a temporary file and unlinks it, so that the kernel frees its space when it is closed, even if the process is killed. */
async function openUnnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-import-'))
  try {
    return await open(path.join(folder, 'archive.zip'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Writes the parts into one file. */
async function assemble({ storage }: ImportDeps, row: ImportRow, file: string, signal: AbortSignal): Promise<void> {
  const bodies = async function* bodies() {
    for (const key of partKeys(row)) {
      const part = await storage.open(key)
      if (!part) throw new ArchiveError(`The storage has lost ${key}`, 'damaged')
      yield* part.body
    }
  }
  await pipeline(bodies, createWriteStream(file), { signal })
}

/** The rows and objects of an archive: the total that `onProgress` counts up to. */
const totalOf = ({ tables, objects }: Manifest): number =>
  Object.values(tables).reduce((sum, rows) => sum + rows, objects)

async function importParts(deps: ImportDeps, row: ImportRow, job: Job, stopping: AbortSignal): Promise<void> {
  // Before the parts are copied, which takes minutes.
  await assertProductEmpty(deps.db)
  // Loaded when needed, because it reads ZIP archives.
  const { importArchive } = await import('../archive/import-archive.ts')
  const handle = await openUnnamedFile()
  const file = `/dev/fd/${handle.fd}`
  const connection = deps.openDirect()
  const progress = reportProgress(deps, row.id, job, stopping)
  try {
    await assemble(deps, row, file, progress.signal)
    await importArchive(
      file,
      { ...deps, db: connection.db },
      {
        label: row.fileName,
        hasAdmin: true,
        onOpen: (manifest) => progress.setTotal(totalOf(manifest)),
        onProgress: progress.onProgress,
        async beforeCommit(tx) {
          await progress.stop()
          if (!(await setDone(tx, row.id, progress.total()))) progress.abort()
          progress.signal.throwIfAborted()
        },
      },
    )
  } finally {
    await progress.stop()
    await connection.close()
    await handle.close()
  }
}

/**
 * Imports the archive whose parts are stored. A crash leaves the database as it was: the next run skips the files that are stored.
 * A cancelled import is rolled back. One that finds the product not empty waits until it is empty.
 */
export const importHandler = (deps: ImportDeps, stopping: AbortSignal): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  // It copies the archive to the disk.
  concurrency: 1,
  async run(job, payload) {
    const { id } = payload as { id: string }
    const row = await findImport(deps.db)
    if (row?.id !== id || row.status === 'failed') return
    try {
      if (row.status !== 'done') await importParts(deps, row, job, stopping)
    } catch (error) {
      if (stopping.aborted) throw new JobFailure('the server stopped', 'unavailable')
      if (error instanceof StorageUnavailable || isDatabaseUnavailable(error))
        throw new JobFailure((error as Error).message, 'unavailable')
      if (!(error instanceof ArchiveError)) {
        const current = await findImport(deps.db)
        // Cancelled.
        if (current?.id !== id) return
        throw error
      }
      const { fault, message: faultDetails } = error
      // An import that waits keeps its parts: somebody may have registered meanwhile, and may be deleted again.
      const status = fault === 'not-empty' ? 'waiting' : 'failed'
      await inTransaction(deps.db, (tx) => setFault(tx, id, { status, fault, faultDetails }))
      if (status === 'waiting') throw new PostponedJob(RECHECK_SECONDS)
    }
    await removeAllObjects(deps, partKeys(row))
  },
  async onDead({ key }, reason) {
    const row = await findImport(deps.db)
    if (!row || key !== importJobKey(row.id)) return
    const { id } = row
    const outcome = { status: 'failed', fault: 'interrupted', faultDetails: reason } as const
    await inTransaction(deps.db, (tx) => setFault(tx, id, outcome))
    await removeAllObjects(deps, partKeys(row))
  },
})
